import { existsSync, realpathSync, writeSync } from 'node:fs'
import type { Storage } from '../port.ts'
import { storageOf } from '../storage.ts'
import type { StorageError } from '../storage-error.ts'
import { startWriter } from './commit.ts'
import { sqliteReader } from './read.ts'

export interface SqliteOptions {
  /** The database file; created in an existing folder, readable only by its owner. */
  readonly file: string
  /**
   * Called once when the disk or the writer has failed: a failed fsync, a corrupt file, an ended thread. Units in
   * flight are rejected as `unknown`, other units as `unavailable`. By default the process writes a line to stderr and
   * exits with code 70, because after a failed fsync only a new start reads the actual content of the disk.
   */
  readonly onFatal?: (error: StorageError) => void
}

/**
 * Opens a SQLite database, creates or migrates it if needed, and owns it exclusively.
 * @throws StorageError `in-use` if it has another owner; `incompatible` if its schema is too new or of another program,
 *   if SQLite is too old, or if the file system does not support a write-ahead log; `unavailable` if the file cannot be
 *   opened. The messages that the writer thread sends name the file.
 */
export async function openSqlite({ file: path, onFatal = endProcess }: SqliteOptions): Promise<Storage> {
  // Lock and log are beside the file itself, not beside a symbolic link to it.
  const file = existsSync(path) ? realpathSync(path) : path
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
    // The write is synchronous, so that it completes before the process exits.
    writeSync(2, `storage failed, the process exits: ${error.message}\n`)
  } finally {
    process.exit(70)
  }
}
