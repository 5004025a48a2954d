import { StorageError, type StorageErrorKind } from '../storage-error.ts'

/**
 * What a failed batch means. alone: one unit may be to blame, so its units run one by one. refuse: none of them can
 * run now. stop: neither the disk nor the connection can be trusted any more.
 */
export type FaultEffect = 'alone' | 'refuse' | 'stop'

interface Fault {
  readonly kind: StorageErrorKind
  readonly consequence: FaultEffect
}

/** By primary result code (https://sqlite.org/rescode.html). */
const faults: Readonly<Record<number, Fault>> = {
  5: { kind: 'unavailable', consequence: 'refuse' }, // SQLITE_BUSY
  6: { kind: 'unavailable', consequence: 'refuse' }, // SQLITE_LOCKED
  7: { kind: 'unknown', consequence: 'stop' }, // SQLITE_NOMEM
  8: { kind: 'unavailable', consequence: 'refuse' }, // SQLITE_READONLY
  10: { kind: 'unknown', consequence: 'stop' }, // SQLITE_IOERR, with it a failed fsync
  11: { kind: 'unknown', consequence: 'stop' }, // SQLITE_CORRUPT
  13: { kind: 'full', consequence: 'alone' }, // SQLITE_FULL
  14: { kind: 'unknown', consequence: 'stop' }, // SQLITE_CANTOPEN
  26: { kind: 'unknown', consequence: 'stop' }, // SQLITE_NOTADB
}

/** Any other code, or an error of the driver, is about the statement and its values. */
const badStatement: Fault = { kind: 'constraint', consequence: 'alone' }

/** The primary result code of a driver's error; undefined for any other error. */
export function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}

/** What to do after `error` has failed a batch. */
export function faultEffectOf(error: unknown): FaultEffect {
  return (faults[codeOf(error) ?? 0] ?? badStatement).consequence
}

/** The error that callers of the port see. SQLite's messages name tables and columns, never values. */
export function storageErrorOf(error: unknown): StorageError {
  if (error instanceof StorageError) return error
  const { kind } = faults[codeOf(error) ?? 0] ?? badStatement
  return new StorageError(kind, error instanceof Error ? error.message : 'storage failed', { cause: error })
}
