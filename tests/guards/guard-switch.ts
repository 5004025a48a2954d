import type { Guard, Refused } from '@tollgate/domain'

type FirstFailure = <Subject>(guards: readonly Guard<Subject>[], subject: Subject) => Refused | undefined

/** The evaluated tables with their guards, by the call site of `firstFailure`. */
const tables = new Map<string, Map<unknown, readonly string[]>>()
let refusing = new Set<string>()
let disabled: string | undefined

/** `packages/domain/dist/payment/capture.js:36:12` in the first line of a stack within a package. */
const CALL_SITE = /\/(packages\/[^/\s]+\/dist\/[^\s:]+:\d+:\d+)/

const callSiteOf = ({ stack = '' }: Error): string => CALL_SITE.exec(stack)?.[1] ?? 'unknown'

/**
 * Adds a switch to the product's `firstFailure`: it records the guards that refuse, and skips the disabled guard. The
 * id of a guard consists of the call site of its table, its code and its reason, so that a guard in the tables of two
 * call sites counts as two guards.
 */
export const addSwitch =
  (firstFailure: FirstFailure): FirstFailure =>
  (guards, subject) => {
    const callSite = callSiteOf(new Error())
    const idOf = ({ code, reason }: Guard<never>): string => `${callSite} ${code} ${reason}`
    const idsByTable = tables.get(callSite) ?? new Map<unknown, readonly string[]>()
    tables.set(callSite, idsByTable)
    if (!idsByTable.has(guards)) idsByTable.set(guards, guards.map(idOf))
    const enabled = disabled === undefined ? guards : guards.filter((guard) => idOf(guard) !== disabled)
    const failed = enabled.find(({ holds }) => !holds(subject))
    if (failed) refusing.add(idOf(failed))
    return firstFailure(enabled, subject)
  }

/** The guards of the evaluated tables, by the call site of their table. */
export const guardsByTable = (): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Array.from(tables, ([callSite, idsByTable]) => [callSite, [...new Set([...idsByTable.values()].flat())]]),
  )

/** Runs `work` and returns the guards that refuse during it. */
export async function guardsRefusingIn(work: () => unknown): Promise<ReadonlySet<string>> {
  refusing = new Set()
  await work()
  return refusing
}

/** Runs `work` with one guard disabled. */
export async function withoutGuard<Result>(guard: string, work: () => Promise<Result>): Promise<Result> {
  disabled = guard
  try {
    return await work()
  } finally {
    disabled = undefined
  }
}
