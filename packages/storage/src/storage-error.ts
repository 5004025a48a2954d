/**
 * The kind of a storage fault.
 *
 * full: no space is left; nothing was written, and the same unit may succeed once there is space again.
 * constraint: the rows of the unit cannot be stored (a duplicate key, a wrong type), or a file that must be new exists
 *   already; nothing was written.
 * unavailable: the storage is missing, unreadable, unreachable, closed, overloaded or locked by another program;
 *   nothing was written.
 * unknown: the disk, the writer or the connection failed during a commit; the unit may be durable or not.
 * in-use: the file has another owner in a running process.
 * incompatible: the program does not support the database, its schema, or the release of SQLite or PostgreSQL; or the
 *   copy to restore is damaged.
 */
export type StorageErrorKind = 'full' | 'constraint' | 'unavailable' | 'unknown' | 'in-use' | 'incompatible'

/** A storage fault. The message names files, tables and columns, never a stored value. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly kind: StorageErrorKind

  constructor(kind: StorageErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
