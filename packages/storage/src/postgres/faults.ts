import { DatabaseError } from 'pg'
import { IS_BEING_PARTITIONED, MONTH_IS_MISSING } from './partitions.ts'
import { StorageError, type StorageErrorKind } from '../storage-error.ts'

/**
 * The effect of a fault on a batch. split: the batch is split, because one unit may be the cause. retry: the batch is
 * sent again, because it lost a race with another process. refuse: all units are rejected, because none can be
 * committed now. reconnect: the batch is sent on a new connection, because the server is read-only. look-up: the
 * outcome is looked up, because it is unknown whether the batch was written. make-months: the batch is sent again after
 * the partitions of its months were made.
 */
type FaultEffect = 'split' | 'retry' | 'refuse' | 'reconnect' | 'look-up' | 'make-months'

interface Fault {
  readonly kind: StorageErrorKind
  readonly effect: FaultEffect
}

const lost: Fault = { kind: 'unknown', effect: 'look-up' }
const refused: Fault = { kind: 'unavailable', effect: 'refuse' }
const raced: Fault = { kind: 'unavailable', effect: 'retry' }
const badUnit: Fault = { kind: 'constraint', effect: 'split' }

/**
 * Faults by SQLSTATE or by its class, the first two characters
 * (https://www.postgresql.org/docs/15/errcodes-appendix.html). The server rolls back a statement with an error; only
 * the faults `lost` leave the outcome in doubt.
 */
const faults: Readonly<Record<string, Fault>> = {
  '08': lost, // connection exceptions
  '21': badUnit, // a row twice in a statement
  '22': badUnit, // invalid values
  '23': badUnit, // violated constraints
  '25006': { kind: 'unavailable', effect: 'reconnect' }, // read-only: a standby, such as a former primary
  '28': refused, // authentication
  '3D': refused, // no such database
  '40': raced, // serialisation failures and deadlocks
  '40003': lost, // statement completion unknown
  '42': refused, // missing tables and rights
  '53': refused, // out of memory, too many connections
  '53100': { kind: 'full', effect: 'split' }, // disk full
  '54': badUnit, // limits of PostgreSQL, such as an index entry that is too large
  '55P03': raced, // lock timeout
  '57014': refused, // statement timeout
  '57P01': lost, // the server shuts down
  '57P02': lost, // the server has crashed
  '57P03': lost, // the server is starting or stopping
  '57P05': lost, // idle session timeout
  '58': refused, // system error of the server
  XX: refused, // internal error of the server
}

/**
 * Faults by the violated constraint. Three of them are violated by concurrent batches of two processes; the next
 * attempt sees the committed rows. The key of transactions is violated by a bad unit, too, which every attempt refuses.
 */
const byConstraint: ReadonlyMap<string, Fault> = new Map([
  ['tree_pkey', raced],
  ['payment_transaction_pkey', { kind: 'constraint', effect: 'retry' }],
  ['commit_reply_race', raced],
  [MONTH_IS_MISSING, { kind: 'unavailable', effect: 'make-months' }],
  [IS_BEING_PARTITIONED, { kind: 'unavailable', effect: 'split' }],
])

/** The name of the constraint of a table for that of a partition, such as payment_transaction_2027_01_pkey. */
const withoutPartition = (constraint: string) =>
  constraint.replace(/^payment_transaction_\w+_pkey\d*$/, 'payment_transaction_pkey')

function faultOf(error: unknown): Fault {
  // Any other error is an error of the connection.
  if (!(error instanceof DatabaseError)) return lost
  const { code = '', constraint } = error
  return byConstraint.get(withoutPartition(constraint ?? '')) ?? faults[code] ?? faults[code.slice(0, 2)] ?? refused
}

export function faultEffectOf(error: unknown): FaultEffect {
  return faultOf(error).effect
}

/** Whether the connection has failed, not the statement. */
export function isConnectionError(error: unknown): boolean {
  return faultOf(error) === lost
}

/** The StorageError of an error. It omits PostgreSQL's details, and its messages about values, which contain values. */
export function storageErrorOf(error: unknown): StorageError {
  if (error instanceof StorageError) return error
  return new StorageError(faultOf(error).kind, messageOf(error))
}

/**
 * The StorageError of a statement that wrote nothing, or that can be repeated without harm, so that a lost connection
 * leaves no doubt: `unavailable` in place of `unknown`.
 */
export function definiteErrorOf(error: unknown): StorageError {
  const { kind, message } = storageErrorOf(error)
  return new StorageError(kind === 'unknown' ? 'unavailable' : kind, message)
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'storage failed'
  // One error for each address that was tried.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  if (error instanceof DatabaseError && error.code?.startsWith('22')) return `a value cannot be stored (${error.code})`
  // Node's codes for certificates, such as SELF_SIGNED_CERT_IN_CHAIN; its messages do not say whose certificate it is.
  const isOfCertificate = 'code' in error && /CERT|SIGNATURE/.test(String(error.code))
  return isOfCertificate ? `the certificate of the PostgreSQL server is invalid: ${error.message}` : error.message
}
