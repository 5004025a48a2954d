import { InvariantError } from '@tollgate/contract'
import { limits } from './limits.ts'

/** An in-memory cache of rows that other processes change, too. */
export interface Held {
  /** Reads all rows again; rejects if a read fails, or if they keep changing. */
  readonly reload: () => Promise<void>
  /** This process has changed a row: a read in flight may be older. */
  readonly changed: () => void
}

/**
 * @param read the stored rows
 * @param hold puts them into memory
 */
export function held<Rows>(read: () => Promise<Rows>, hold: (rows: Rows) => void): Held {
  let changes = 0
  return {
    async reload() {
      for (let round = 0; round < limits.cacheReloadTriesMax; round += 1) {
        const before = changes
        const rows = await read()
        if (changes === before) return hold(rows)
      }
      throw new InvariantError('cached table changed during every read')
    },
    changed: () => void (changes += 1),
  }
}
