import type { Result } from './sessions.ts'

/** Results of the test passwords. */
const results: Readonly<Record<string, Result>> = {
  '1234': { status: 'Y' },
  '1111': { status: 'N', reason: '01' },
  '2222': { status: 'R', reason: '11' },
  '3333': { status: 'U', reason: '22' },
  '7777': { status: 'A' },
  '8888': { status: 'N', reason: '10' },
  '9999': { status: 'N', reason: '08' },
}

/** Passwords with their statuses and reasons, for the page. */
export const oneTimePasswords: readonly (readonly [password: string, outcome: string])[] = [
  ...Object.entries(results)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([password, { status, reason }]) => [password, reason === undefined ? status : `${status} ${reason}`] as const,
    ),
  ['00nn', 'N nn'],
]

/** 0001 to 0099: not authenticated; the last two digits are the reason. */
const REASON = /^00(0[1-9]|[1-9][0-9])$/

/** The result of a password; undefined for a wrong one. */
export function resultOfPassword(password: string): Result | undefined {
  const listed = Object.hasOwn(results, password) ? results[password] : undefined
  const reason = REASON.exec(password)?.[1]
  return listed ?? (reason === undefined ? undefined : { status: 'N', reason })
}
