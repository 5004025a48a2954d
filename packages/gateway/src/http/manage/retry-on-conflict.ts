import { limits } from '../../limits.ts'
import { ManageError } from './manage-error.ts'

/**
 * Makes a change that starts from a row as it is stored, and makes it anew from the beginning where another process has
 * changed that row meanwhile.
 *
 * @param change undefined: the row was not any more what it started from, and nothing was written
 */
export async function startOver<T extends object>(change: () => Promise<T | undefined>): Promise<T> {
  for (let round = 0; round < limits.manageTriesMax; round += 1) {
    const changed = await change()
    if (changed) return changed
  }
  throw new ManageError(409, 'Others change the same over and over: come again.')
}
