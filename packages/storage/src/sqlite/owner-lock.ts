import { accessSync, closeSync, constants, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { StorageError } from '../storage-error.ts'
import { openLock } from './database.ts'
import { primaryCodeOf } from './faults.ts'

const SQLITE_BUSY = 5

/**
 * Makes this process the only owner of the database `file` until the returned function is called.
 *
 * The lock is an exclusive SQLite transaction on an empty file beside it, `<file>.lock`. The operating system releases
 * it when the process ends, and SQLite refuses a second owner within the process.
 * @throws StorageError `in-use` if the file has another owner
 */
export function takeOwnership(file: string): () => void {
  const lockFile = `${file}.lock`
  createPrivately(lockFile)
  const lock = openLock(lockFile)
  try {
    // The journal is in memory, so that a killed process leaves no journal file.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (primaryCodeOf(error) !== SQLITE_BUSY) throw error
    throw new StorageError('in-use', `${file} is in use already: a process holds ${lockFile}`)
  }
  return () => lock.close()
}

/**
 * Creates an empty file that only its owner can read, and makes its name durable. An existing file is not opened,
 * because closing any descriptor of a file releases the locks of the process on it.
 */
export function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    // SQLite would open a file without write permission, and fail at the first payment.
    accessSync(file, constants.W_OK)
    return
  }
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
