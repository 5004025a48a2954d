import { InvariantError } from '@tollgate/contract'
import { limits } from './limits.ts'

/** What is held in memory of rows that other processes change, too. */
export interface Held {
  /** Reads all of it anew; rejects where it could not be read, or was changed over and over. */
  readonly reload: () => Promise<void>
  /** This process has changed it: what is being read may be older. */
  readonly changed: () => void
}

/**
 * @param read the rows as they are stored
 * @param hold takes them into memory
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
