import { limits } from '../../limits.ts'
import { ManageError } from './manage-error.ts'

/**
 * Applies a change to a stored row, and applies it again to the new row if another process has changed the row in the
 * meantime.
 *
 * @param change returns undefined after a conflict, without having written anything
 */
export async function retryOnConflict<T extends object>(change: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < limits.manageTriesMax; attempt += 1) {
    const changed = await change()
    if (changed) return changed
  }
  throw new ManageError(409, 'The object was modified concurrently several times; retry.')
}
