import { accessSync, closeSync, constants, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { StorageError } from '../storage-error.ts'
import { openLock } from './database.ts'
import { codeOf } from './faults.ts'

const SQLITE_BUSY = 5

/**
 * Makes this process the one owner of the database `file` until the returned function is called.
 *
 * The lock is an exclusive SQLite transaction on an empty file beside it, `<file>.lock`: the operating system drops it
 * with the process, whichever way that ends, and SQLite also refuses a second owner inside this process.
 * @throws StorageError `in-use` when another owner holds it.
 */
export function takeOwnership(file: string): () => void {
  const lockFile = `${file}.lock`
  createPrivately(lockFile)
  const lock = openLock(lockFile)
  try {
    // In memory, so that a killed owner leaves no journal beside the lock.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (codeOf(error) !== SQLITE_BUSY) throw error
    throw new StorageError('in-use', `${file} is in use by another process, which holds ${lockFile}`)
  }
  return () => lock.close()
}

/**
 * Creates an empty file that only its owner may read, and makes its name durable. Leaves an existing one alone, and
 * unopened: closing any descriptor of a file would drop the locks that this process holds on it.
 */
export function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    // SQLite opens a file that we may only read, and would fail with the first payment.
    accessSync(file, constants.W_OK)
    return
  }
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
