import { stat } from 'node:fs/promises'
import type { Storage } from '@tollgate/storage'
import { type Clock, commitChange, eraseAccount, type Ids } from '@tollgate/operations'
import { limits } from '../limits.ts'
import { readTombstones, tombstoneFiles, tombstoneLogId } from './tombstone-log.ts'

interface Parts {
  readonly storage: Storage
  readonly ids: Ids
  readonly clock: Clock
}

/** The name under which the data record the replayed part of a tombstone log. */
const markOf = (id: string) => `erasures ${id}`

/**
 * Erases the accounts that tombstone logs name and the data still contains, because older data was restored.
 * Registrations of such accounts end with them. The first erasure sent the webhooks; a replay sends none.
 * The data contains a mark of how much of each log it reflects, so that a start reads the later entries only; restored
 * data has an earlier mark, and so reads all entries after it.
 *
 * @param parts with the storage below the outbox, which sends no webhooks
 * @returns how many accounts were erased
 * @throws ConfigError for a log that cannot be read, or is older than the data
 */
export async function replayTombstones(parts: Parts, folder: string): Promise<number> {
  let erased = 0
  for (const file of tombstoneFiles(folder)) {
    const name = markOf(await tombstoneLogId(file))
    const { accounts, reached } = await readTombstones(file, Number((await parts.storage.installation(name)) ?? 0))
    for (const id of accounts) if (await eraseAccount(parts, id)) erased += 1
    await setMark(parts, name, reached)
  }
  return erased
}

/** Notes at the end of a process that the data reflect all of its file. */
export async function markTombstones(parts: Pick<Parts, 'storage' | 'ids'>, folder: string): Promise<void> {
  for (const file of tombstoneFiles(folder)) {
    const { size } = await stat(file)
    await setMark(parts, markOf(await tombstoneLogId(file)), size)
  }
}

/** Erasures in flight in another process with the same folder are within the last lines: these are read again. */
async function setMark(parts: Pick<Parts, 'storage' | 'ids'>, name: string, reached: number): Promise<void> {
  const value = String(Math.max(0, reached - limits.erasuresReadAgainBytes))
  if ((await parts.storage.installation(name)) !== value)
    await commitChange(parts, { rows: { installation: [{ name, value }] } })
}
