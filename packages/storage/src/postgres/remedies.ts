import { StorageError } from '../storage-error.ts'
import { definiteErrorOf } from './faults.ts'

const RIGHTS =
  'the user needs CREATE in the schema for the first start of each version, and SELECT, INSERT, UPDATE and DELETE on ' +
  'all of its tables always'

/** Remedies for a database that cannot be opened: by SQLSTATE, Node's code, or the driver's message. */
const remedies: Readonly<Record<string, string>> = {
  '28000': 'check the user, and pg_hba.conf of the server',
  '28P01': 'check user and password',
  '3D000': 'check the name of the database, or create it',
  '42501': RIGHTS,
  '42P07': 'the database contains tables of another program: give Tollgate a database of its own',
  '53100': 'free space on the disk of the server',
  '53300': 'raise max_connections of the server: each process opens up to twelve',
  '57P03': 'the server is starting: start again in a moment',
  EAI_AGAIN: 'check the host',
  ECONNREFUSED: 'check host and port, and that PostgreSQL is running there',
  EHOSTUNREACH: 'check the host and the network',
  ENETUNREACH: 'check the host and the network',
  ENOTFOUND: 'check the host',
  ETIMEDOUT: 'check host, port and the network',
  'Connection terminated unexpectedly': 'check host and port, and that PostgreSQL is running there',
  'timeout expired': 'check host, port and the network',
}

/**
 * The error of a database that cannot be opened, with the remedy of a known cause. The message may contain host, user
 * and database, but never the password.
 */
export function openingError(error: unknown): StorageError {
  const { kind, message } = definiteErrorOf(error)
  const [first] = error instanceof AggregateError ? error.errors : [error]
  const code = first instanceof Error && 'code' in first ? String(first.code) : ''
  const remedy = remedies[code] ?? remedies[message]
  return new StorageError(kind, remedy === undefined ? message : `${message}; ${remedy}`)
}
