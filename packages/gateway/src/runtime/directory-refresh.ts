import type { Peers } from '@tollgate/storage'
import type { Directory } from '@tollgate/operations'
import { limits } from '../limits.ts'

/** Reads the directory anew before somebody is told that a token or an entity is none. Never rejects. */
export type RefreshDirectory = () => Promise<void>

/**
 * Another process may have created it a moment ago, and this one not have heard of it yet. Whoever comes meanwhile
 * shares the look; soon after one there is none, for strangers may come as often as they like.
 *
 * @param now milliseconds of a clock that nobody moves
 * @returns undefined where there are no others
 */
export function createDirectoryRefresh(
  directory: Pick<Directory, 'reload'>,
  peers: Peers | undefined,
  now: () => number,
): RefreshDirectory | undefined {
  if (!peers) return undefined
  let refreshing: Promise<void> | undefined
  let refreshedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (!refreshing && now() - refreshedAt < limits.directoryRefreshMs) return
    // Where it cannot be read, what was known before holds.
    refreshing ??= directory
      .reload()
      .catch(() => undefined)
      .finally(() => {
        refreshing = undefined
        refreshedAt = now()
      })
    await refreshing
  }
}
