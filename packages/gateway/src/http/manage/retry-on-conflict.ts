import { limits } from '../../limits.ts'
import { ManageError } from './manage-error.ts'

/**
 * Applies a change that starts from a stored row, and applies it again to the new row if another process changed the
 * row first.
 *
 * @param change returns undefined if the row was changed and nothing was written
 */
export async function startOver<T extends object>(change: () => Promise<T | undefined>): Promise<T> {
  for (let round = 0; round < limits.manageTriesMax; round += 1) {
    const changed = await change()
    if (changed) return changed
  }
  throw new ManageError(409, 'Others change the same over and over: come again.')
}
