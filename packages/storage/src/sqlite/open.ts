import { existsSync, realpathSync, writeSync } from 'node:fs'
import type { Storage } from '../port.ts'
import { storageOf } from '../storage.ts'
import type { StorageError } from '../storage-error.ts'
import { startWriter } from './commit.ts'
import { sqliteReader } from './read.ts'

export interface SqliteOptions {
  /** The database file; created, readable by its owner alone, in a folder that exists. */
  readonly file: string
  /**
   * Called once when the disk or the writer has failed: a failing fsync, a corrupt file, a dead thread. The units under
   * way reject as `unknown`, all others as `unavailable`. By default one line goes to stderr and the process ends with
   * code 70, because after a failed fsync only a fresh start can read what the disk really holds.
   */
  readonly onFatal?: (error: StorageError) => void
}

/**
 * Opens, and if need be creates or migrates, a SQLite database that this process then owns alone.
 * @throws StorageError `in-use` when another owner has it; `incompatible` when a newer program or too old a SQLite
 *   would work on it; `unavailable`, `full` or `unknown` when the file cannot be opened. The message names the file.
 */
export async function openSqlite({ file: named, onFatal = endProcess }: SqliteOptions): Promise<Storage> {
  // Through a symbolic link too, the lock and the log stand beside the file that they belong to.
  const file = existsSync(named) ? realpathSync(named) : named
  const committer = await startWriter(file, onFatal)
  try {
    return storageOf(sqliteReader(file), committer)
  } catch (error) {
    await committer.close()
    throw error
  }
}

function endProcess(error: StorageError): void {
  try {
    // Synchronous, so that the line is out before the process is.
    writeSync(2, `storage failed, the process ends: ${error.message}\n`)
  } finally {
    process.exit(70)
  }
}
