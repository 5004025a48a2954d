import { StorageError, type StorageErrorKind } from '../storage-error.ts'

/**
 * The effect of a fault on a batch. split: the units are committed one by one, because one of them may be the cause.
 * refuse: no unit can be committed now. stop: the disk, the file or the memory has failed.
 */
type FaultEffect = 'split' | 'refuse' | 'stop'

interface Fault {
  readonly kind: StorageErrorKind
  readonly effect: FaultEffect
}

/** Faults by primary result code (https://sqlite.org/rescode.html). */
const faults: Readonly<Record<number, Fault>> = {
  5: { kind: 'unavailable', effect: 'refuse' }, // SQLITE_BUSY
  6: { kind: 'unavailable', effect: 'refuse' }, // SQLITE_LOCKED
  7: { kind: 'unknown', effect: 'stop' }, // SQLITE_NOMEM
  8: { kind: 'unavailable', effect: 'refuse' }, // SQLITE_READONLY
  10: { kind: 'unknown', effect: 'stop' }, // SQLITE_IOERR, including a failed fsync
  11: { kind: 'unknown', effect: 'stop' }, // SQLITE_CORRUPT
  13: { kind: 'full', effect: 'split' }, // SQLITE_FULL
  14: { kind: 'unknown', effect: 'stop' }, // SQLITE_CANTOPEN
  26: { kind: 'unknown', effect: 'stop' }, // SQLITE_NOTADB
}

/** Any other code, or an error of the driver: a fault of the statement or its values. */
const badStatement: Fault = { kind: 'constraint', effect: 'split' }

/** The primary result code of an error of SQLite; undefined for other errors. */
export function primaryCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}

export function faultEffectOf(error: unknown): FaultEffect {
  return (faults[primaryCodeOf(error) ?? 0] ?? badStatement).effect
}

/** The StorageError of an error. SQLite's messages name tables and columns, never values. */
export function storageErrorOf(error: unknown): StorageError {
  if (error instanceof StorageError) return error
  const { kind } = faults[primaryCodeOf(error) ?? 0] ?? badStatement
  return new StorageError(kind, error instanceof Error ? error.message : 'storage failed', { cause: error })
}
