/**
 * Why storage could not do what it was asked.
 *
 * full: no space left; nothing was written, and the same unit may succeed once there is space again.
 * constraint: the unit's rows cannot be stored as they are (a key taken, a wrong type); nothing was written.
 * unavailable: closed, overloaded or locked by someone else; nothing was written.
 * unknown: the disk or the writer failed in mid-commit, or the server was out of reach for long after it was sent one;
 *   the unit may be durable or not.
 * in-use: another running process owns the file.
 * incompatible: the file, or the SQLite library, is not one that this program can work with.
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
