import type { Peers } from '@tollgate/storage'
import type { Directory } from '@tollgate/operations'
import { limits } from '../limits.ts'

/** Reloads the directory before a request with an unknown token or entity is rejected. Never rejects itself. */
export type RefreshDirectory = () => Promise<void>

/**
 * A peer may have created the token or entity a moment ago. Concurrent calls share one reload, and within
 * `limits.directoryRefreshMs` of the last one there is none: unauthenticated clients can cause no load on the database.
 *
 * @param now milliseconds of a monotonic clock
 * @returns undefined where there are no peers
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
