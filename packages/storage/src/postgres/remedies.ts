import { StorageError } from '../storage-error.ts'
import { harmless } from './faults.ts'

const RIGHTS =
  'its user needs CREATE in the schema for the first start of each version, and SELECT, INSERT, UPDATE and DELETE on ' +
  'all of its tables always'

/**
 * What whoever starts the program can do about a database that cannot be opened, by SQLSTATE, by Node's code, or, where
 * the driver gives neither, by its message.
 */
const remedies: Readonly<Record<string, string>> = {
  '28000': 'see its user, and pg_hba.conf of the server',
  '28P01': 'see its user and password',
  '3D000': 'see its name, or create it',
  '42501': RIGHTS,
  '42P07': 'it holds what is not ours: give Tollgate a database of its own',
  '53100': 'make space on the disk of the server',
  '53300': 'raise max_connections of the server: each process takes up to nine',
  '57P03': 'the server is not ready yet: start again in a moment',
  EAI_AGAIN: 'see its host',
  ECONNREFUSED: 'see its host and port, and that PostgreSQL runs there',
  EHOSTUNREACH: 'see its host, and the network',
  ENETUNREACH: 'see its host, and the network',
  ENOTFOUND: 'see its host',
  ETIMEDOUT: 'see its host and port, and the network',
  'Connection terminated unexpectedly': 'see its host and port, and that PostgreSQL runs there',
  'timeout expired': 'see its host and port, and the network',
}

/** Why a database could not be opened, and what to do about it, in one line that holds nothing of its address. */
export function openingError(error: unknown): StorageError {
  const { kind, message } = harmless(error)
  const [first] = error instanceof AggregateError ? error.errors : [error]
  const code = first instanceof Error && 'code' in first ? String(first.code) : ''
  const remedy = remedies[code] ?? remedies[message]
  return new StorageError(kind, remedy === undefined ? message : `${message}; ${remedy}`)
}
