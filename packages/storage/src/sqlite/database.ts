// This is the product's only import of the driver. `node:sqlite` has the same interface and can replace it once the
// oldest supported Node contains a recent SQLite.
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite'
import { limits } from '../limits.ts'
import { StorageError } from '../storage-error.ts'

export type Database = DatabaseSyncInstance
export type PreparedStatement = StatementSyncInstance

/** In earlier releases the reset of a write-ahead log can race with a checkpoint and lose committed pages. */
const oldestVersion = [3, 51, 3] as const

/**
 * Opens the writing connection. A commit returns when it is on disk. The caller makes the checkpoints, because SQLite's
 * automatic ones ignore a failed fsync.
 * @throws StorageError `incompatible` if SQLite is too old or the file system does not support a write-ahead log
 */
export function openWriter(file: string): Database {
  const database = new DatabaseSync(file, { timeout: limits.busyTimeoutMs })
  try {
    const { version }: { version: string } = database.prepare('SELECT sqlite_version() AS version').get()
    if (!isRecent(version)) {
      throw new StorageError(
        'incompatible',
        `SQLite ${version} is too old; ${oldestVersion.join('.')} or later is required`,
      )
    }
    database.exec(`PRAGMA page_size = ${limits.pageBytes}`)
    const { journal_mode: mode }: { journal_mode: string } = database.prepare('PRAGMA journal_mode = WAL').get()
    if (mode !== 'wal') {
      throw new StorageError('incompatible', `${file}: the file system does not support a write-ahead log`)
    }
    database.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0')
    // SQLite overwrites replaced data; otherwise an erased card number would remain in the free space of its page.
    database.exec('PRAGMA secure_delete = ON')
    setCache(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Opens a read-only connection, which can coexist with a writer. */
export function openReader(file: string): Database {
  const database = new DatabaseSync(file, { readOnly: true, timeout: limits.busyTimeoutMs })
  setCache(database)
  return database
}

/** Opens a lock file, without waiting for its owner. */
export function openLock(file: string): Database {
  return new DatabaseSync(file, { timeout: 0 })
}

/** Whether a version, in the form of `sqlite_version()`, is 3.51.3 or later. */
export function isRecent(version: string): boolean {
  const parts = version.split('.').map(Number)
  const differingPart = oldestVersion.findIndex((part, index) => part !== parts[index])
  return differingPart === -1 || (parts[differingPart] ?? 0) > (oldestVersion[differingPart] ?? 0)
}

function setCache(database: Database): void {
  database.exec(`PRAGMA cache_size = ${-limits.cacheBytes / 1024}`)
}
