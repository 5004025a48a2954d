import { createHash } from 'node:crypto'
import { writeClearingFile } from '@tollgate/settlement-files'
import type { ClearingBatchRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { dayText } from '../ledger/days.ts'
import type { ClearingFiles } from '../ports/clearing-files.ts'
import { type FileClearing, PresentmentsIncompleteError, presentmentsOf } from './presentments.ts'
import { type ClearingFile, writeClearingFileOf } from './stored-file.ts'

type Dependencies = Pick<Context, 'storage' | 'clock' | 'ids' | 'log'> & { readonly clearingFiles: ClearingFiles }

/**
 * Writes the clearing file of a batch, and stores that it is written. If the process ends between both, the file is
 * written again: the same bytes under the same name, because it contains nothing but the batch.
 *
 * @returns the batch with its file; undefined: it is written later
 */
export async function writeFile(
  dependencies: Dependencies,
  batch: ClearingBatchRow,
  { sequence }: ClearingFile,
  clearing: FileClearing,
): Promise<ClearingBatchRow | undefined> {
  const { storage, clock, log, clearingFiles } = dependencies
  const { acquirer, day } = batch
  const name = `clearing-${dayText(day)}-${String(sequence).padStart(6, '0')}.txt`
  const facts = { institute: clearing.institute, fileId: batch.id, sequence, businessDay: dayText(day) }
  const hash = createHash('sha256')
  let presentments = 0
  async function* counted() {
    for await (const presentment of presentmentsOf(storage, batch, clearing)) {
      presentments += 1
      yield presentment
    }
  }
  async function* hashed() {
    for await (const piece of writeClearingFile(facts, counted())) {
      hash.update(piece)
      yield piece
    }
  }
  try {
    await clearingFiles.put(acquirer, name, hashed())
  } catch (error) {
    if (!(error instanceof PresentmentsIncompleteError)) throw error
    log.warn({ clearing: batch.id, waits: error.message })
    return undefined
  }
  const written = { name, presentments, sha256: hash.digest('hex'), writtenAtMs: clock.now() }
  const to: ClearingBatchRow = {
    ...batch,
    file: writeClearingFileOf({ sequence, written }),
    changed_at_ms: clock.now(),
  }
  const isStored = await commitChange(dependencies, { compareAndSets: [{ table: 'clearing_batch', from: batch, to }] })
  if (isStored) log.info({ clearing: batch.id, file: name, presentments })
  return isStored ? to : undefined
}
