import { InvariantError } from '@tollgate/contract'
import { limits } from './limits.ts'

/** An in-memory cache of tables that other processes also write. */
export interface TableCache {
  /** Reads all rows again. Rejects if a read fails, or if every read was invalidated. */
  readonly reload: () => Promise<void>
  /** Called after a change by this process: the result of a read in flight may be older, and is discarded. */
  readonly invalidateReads: () => void
}

/**
 * @param read reads the stored rows
 * @param store replaces the rows in memory
 */
export function createTableCache<Rows>(read: () => Promise<Rows>, store: (rows: Rows) => void): TableCache {
  let changes = 0
  return {
    async reload() {
      for (let tries = 0; tries < limits.cacheReloadTriesMax; tries += 1) {
        const changesBefore = changes
        const rows = await read()
        if (changes === changesBefore) return store(rows)
      }
      throw new InvariantError('cached table changed during every read')
    },
    invalidateReads: () => void (changes += 1),
  }
}
