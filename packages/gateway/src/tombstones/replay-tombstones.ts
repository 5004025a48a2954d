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

/** The name of the stored value with the replayed length of a tombstone log. */
const replayedNameOf = (id: string) => `erasures ${id}`

/**
 * Erases the accounts that are listed in tombstone logs but still stored, because older data was restored or a process
 * ended before the commit of an erasure. Their registrations are deleted. A replay sends no webhooks, because the first
 * erasure has sent them, unless its process ended before its commit. The replayed length of each log is stored, so that
 * a start reads only later entries; restored data contains an earlier length, so that the entries after it are read
 * again.
 *
 * @param parts with the storage below the outbox, which sends no webhooks
 * @returns the number of erased accounts
 * @throws ConfigError for a file that is not a tombstone log, and for a log that is older than the data
 */
export async function replayTombstones(parts: Parts, folder: string): Promise<number> {
  let erased = 0
  for (const file of tombstoneFiles(folder)) {
    const name = replayedNameOf(await tombstoneLogId(file))
    const { accounts, lengthBytes } = await readTombstones(file, Number((await parts.storage.installation(name)) ?? 0))
    for (const id of accounts) if (await eraseAccount(parts, id)) erased += 1
    await saveReplayed(parts, name, lengthBytes)
  }
  return erased
}

/** Stores the lengths of the logs at the end of a process, so that the next start reads only later entries. */
export async function storeReplayedLengths(parts: Pick<Parts, 'storage' | 'ids'>, folder: string): Promise<void> {
  for (const file of tombstoneFiles(folder)) {
    const { size } = await stat(file)
    await saveReplayed(parts, replayedNameOf(await tombstoneLogId(file)), size)
  }
}

/**
 * Stores the replayed length without the last lines, so that the next start reads these again: erasures in them may be
 * in flight in another process with the same folder.
 */
async function saveReplayed(parts: Pick<Parts, 'storage' | 'ids'>, name: string, lengthBytes: number): Promise<void> {
  const value = String(Math.max(0, lengthBytes - limits.tombstonesReadAgainBytes))
  if ((await parts.storage.installation(name)) !== value)
    await commitChange(parts, { rows: { installation: [{ name, value }] } })
}
