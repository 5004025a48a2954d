import { DatabaseError } from 'pg'
import { StorageError, type StorageErrorKind } from '../storage-error.ts'

/**
 * What a failed batch means. alone: one unit may be to blame, so that they run apart. again: nothing is wrong with any;
 * somebody was faster. refuse: none of them can run now. elsewhere: this server takes no writes, another one may.
 * doubt: nobody knows whether it was written.
 */
export type FaultEffect = 'alone' | 'again' | 'refuse' | 'elsewhere' | 'doubt'

interface Fault {
  readonly kind: StorageErrorKind
  readonly consequence: FaultEffect
}

const lost: Fault = { kind: 'unknown', consequence: 'doubt' }
const refused: Fault = { kind: 'unavailable', consequence: 'refuse' }
const raced: Fault = { kind: 'unavailable', consequence: 'again' }
const badUnit: Fault = { kind: 'constraint', consequence: 'alone' }

/**
 * By SQLSTATE, or else its class, the first two characters (https://www.postgresql.org/docs/15/errcodes-appendix.html).
 * Whatever the server reports as an error of the statement, it has undone; only an end of the connection leaves doubt.
 */
const faults: Readonly<Record<string, Fault>> = {
  '08': lost, // connection exceptions
  '21': badUnit, // one row twice
  '22': badUnit, // values
  '23': badUnit, // constraints
  '25006': { kind: 'unavailable', consequence: 'elsewhere' }, // read-only: a standby, or a primary that was one
  '28': refused, // who may log in
  '3D': refused, // no such database
  '40': raced, // serialisation failures and deadlocks
  '40003': lost, // statement completion unknown
  '42': refused, // missing tables and rights
  '53': refused, // out of memory, too many connections
  '53100': { kind: 'full', consequence: 'alone' }, // disk full
  '54': badUnit, // too large
  '55P03': raced, // a lock was not to be had in time
  '57014': refused, // the statement took too long
  '57P01': lost, // the server shuts down
  '57P02': lost, // the server has crashed
  '57P03': lost, // the server starts, or stops
  '57P05': lost, // the session was idle
  '58': refused, // a failing disk, which ends the server and not us
  XX: refused, // what the server cannot trust any more
}

/**
 * Constraints that only two batches of two processes can break, where one did not see yet what the other has written:
 * the next attempt does.
 */
const brokenByRaces: ReadonlySet<string | undefined> = new Set(['tree_pkey', 'commit_reply_race'])

function faultOf(error: unknown): Fault {
  // Whatever does not come from the server is about the connection to it.
  if (!(error instanceof DatabaseError)) return lost
  if (brokenByRaces.has(error.constraint)) return raced
  const { code = '' } = error
  return faults[code] ?? faults[code.slice(0, 2)] ?? refused
}

/** What to do after `error` has failed a batch. */
export function faultEffectOf(error: unknown): FaultEffect {
  return faultOf(error).consequence
}

/** Whether the connection has failed and not what was asked. */
export function isLost(error: unknown): boolean {
  return faultOf(error) === lost
}

/**
 * The error that callers of the port see. PostgreSQL's messages name tables and constraints; values stand in its
 * details, which are left out, and in what it says of values.
 */
export function storageErrorOf(error: unknown): StorageError {
  if (error instanceof StorageError) return error
  return new StorageError(faultOf(error).kind, messageOf(error))
}

/** The error of something that wrote nothing: where the connection was lost, it is known to be no more than that. */
export function harmless(error: unknown): StorageError {
  const { kind, message } = storageErrorOf(error)
  return new StorageError(kind === 'unknown' ? 'unavailable' : kind, message)
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'storage failed'
  // Several addresses were tried, and each has its own error.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  if (error instanceof DatabaseError && error.code?.startsWith('22')) return `a value cannot be stored (${error.code})`
  // Node's codes for certificates, such as SELF_SIGNED_CERT_IN_CHAIN; its messages do not say of whom.
  const isOfCertificate = 'code' in error && /CERT|SIGNATURE/.test(String(error.code))
  return isOfCertificate ? `the certificate of the PostgreSQL server is refused: ${error.message}` : error.message
}
