import type { Peers } from '@tollgate/storage'
import type { Directory } from '@tollgate/operations'
import { limits } from '../limits.ts'

/** Reloads the directory before a request with an unknown token or entity is rejected. The promise never rejects. */
export type RefreshDirectory = () => Promise<void>

/**
 * Creates the refresh: a peer may just have created the token or entity. Concurrent calls share one reload, and the
 * next begins `limits.directoryRefreshMs` later at the earliest, so that unauthenticated clients cannot load the
 * database.
 *
 * @param now milliseconds of a monotonic clock
 * @returns undefined if there are no peers
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
    // After a failed reload the previous directory stays in use.
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
