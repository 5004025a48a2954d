// The one file that knows the driver. `node:sqlite` has the same interface and replaces it by this import alone, once
// the oldest Node that we support carries a SQLite that we trust.
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite'
import { limits } from '../limits.ts'
import { StorageError } from '../storage-error.ts'

export type Database = DatabaseSyncInstance
export type Statement = StatementSyncInstance

/** Before this release the reset of a write-ahead log could race a checkpoint and lose committed pages. */
const oldestVersion = [3, 51, 3] as const

/**
 * Opens the connection that writes. Every commit is on disk before it returns; checkpoints are left to the caller,
 * because SQLite's own would swallow a failing fsync.
 * @throws StorageError `incompatible`: SQLite is too old, or the file system cannot hold a write-ahead log.
 */
export function openWriter(file: string): Database {
  const database = new DatabaseSync(file, { timeout: limits.busyTimeoutMs })
  try {
    const { version }: { version: string } = database.prepare('SELECT sqlite_version() AS version').get()
    if (!isRecent(version)) {
      throw new StorageError('incompatible', `SQLite ${version} is too old: ${oldestVersion.join('.')} is the oldest`)
    }
    database.exec(`PRAGMA page_size = ${limits.pageBytes}`)
    const { journal_mode: mode }: { journal_mode: string } = database.prepare('PRAGMA journal_mode = WAL').get()
    if (mode !== 'wal') {
      throw new StorageError('incompatible', `${file}: the file system cannot hold a write-ahead log`)
    }
    database.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0')
    // What is replaced is erased: otherwise a shredded card number would live on in the free space of its page.
    database.exec('PRAGMA secure_delete = ON')
    setCache(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Opens a connection that can only read, beside a writer. */
export function openReader(file: string): Database {
  const database = new DatabaseSync(file, { readOnly: true, timeout: limits.busyTimeoutMs })
  setCache(database)
  return database
}

/** Opens a file that is only ever locked, without waiting for whoever holds it. */
export function openLock(file: string): Database {
  return new DatabaseSync(file, { timeout: 0 })
}

/** True for SQLite 3.51.3 and later, as `sqlite_version()` writes it. */
export function isRecent(version: string): boolean {
  const parts = version.split('.').map(Number)
  const unequal = oldestVersion.findIndex((part, index) => part !== parts[index])
  return unequal === -1 || (parts[unequal] ?? 0) > (oldestVersion[unequal] ?? 0)
}

function setCache(database: Database): void {
  database.exec(`PRAGMA cache_size = ${-limits.cacheBytes / 1024}`)
}
