import type { Peers } from '@tollgate/storage'
import type { Directory } from '@tollgate/operations'
import { limits } from '../limits.ts'

/** Reloads the directory before a request with an unknown token or entity is rejected. The promise never rejects. */
export type RefreshDirectory = () => Promise<void>

/**
 * Creates the refresh, which finds tokens and entities that a peer has just created. Concurrent calls share one reload,
 * and the next one begins `limits.directoryRefreshMs` later at the earliest, so that unauthenticated clients cannot
 * overload the database.
 *
 * @param now a monotonic time in milliseconds
 * @returns undefined if there are no peers
 */
export function createDirectoryRefresh(
  directory: Pick<Directory, 'reload'>,
  peers: Peers | undefined,
  now: () => number,
): RefreshDirectory | undefined {
  if (!peers) return undefined
  let refreshing: Promise<void> | undefined
  let refreshedAtMs = Number.NEGATIVE_INFINITY
  return async () => {
    if (!refreshing && now() - refreshedAtMs < limits.directoryRefreshMs) return
    // After a failed reload the previous directory stays in use.
    refreshing ??= directory
      .reload()
      .catch(() => undefined)
      .finally(() => {
        refreshing = undefined
        refreshedAtMs = now()
      })
    await refreshing
  }
}
