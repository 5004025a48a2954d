import { join } from 'node:path'
import type { ClearingFiles } from '@tollgate/operations'
import { writeWholeFile } from '../runtime/write-whole-file.ts'

/** Puts the clearing files of each connector into a folder of its own below a folder. */
export const createClearingFolder = (folder: string): ClearingFiles => ({
  put: (acquirer, name, pieces) => writeWholeFile(join(folder, acquirer, name), pieces),
})
