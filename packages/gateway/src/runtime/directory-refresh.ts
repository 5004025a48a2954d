import type { Others } from '@tollgate/storage'
import type { Directory } from '@tollgate/operations'
import { limits } from '../limits.ts'

/** Reads the directory anew before somebody is told that a token or an entity is none. Never rejects. */
export type LookAgain = () => Promise<void>

/**
 * Another process may have created it a moment ago, and this one not have heard of it yet. Whoever comes meanwhile
 * shares the look; soon after one there is none, for strangers may come as often as they like.
 *
 * @param now milliseconds of a clock that nobody moves
 * @returns undefined where there are no others
 */
export function lookAgain(
  directory: Pick<Directory, 'reload'>,
  others: Others | undefined,
  now: () => number,
): LookAgain | undefined {
  if (!others) return undefined
  let looking: Promise<void> | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (!looking && now() - lookedAt < limits.lookAgainMs) return
    // Where it cannot be read, what was known before holds.
    looking ??= directory
      .reload()
      .catch(() => undefined)
      .finally(() => {
        looking = undefined
        lookedAt = now()
      })
    await looking
  }
}
