import { StorageError, type StorageErrorKind } from '@tollgate/storage'
import { ConfigError } from '../config.ts'

/** The remedy, where it does not follow from the message. */
const remedies: Partial<Record<StorageErrorKind, string>> = {
  full: 'make room, and run it again',
  'in-use': 'stop the gateway first',
}

/**
 * A failed command on all data as one line, where its cause is a file, the database or the machine and not the program.
 *
 * @param databaseUrl undefined: errors without a file name are about the SQLite file
 */
export function dataError(error: unknown, databaseUrl: string | undefined, file: string): unknown {
  if (error instanceof StorageError) {
    const { kind, message } = error
    const isOfDatabase = databaseUrl !== undefined && !message.includes(file)
    const where = isOfDatabase ? 'the database that TOLLGATE_DATABASE_URL names cannot be used: ' : ''
    const right = message.startsWith('permission denied') ? 'its user needs the rights of its owner' : undefined
    const remedy = right ?? remedies[kind]
    return new ConfigError(`${where}${message}${remedy === undefined ? '' : `; ${remedy}`}`)
  }
  return error instanceof Error && 'syscall' in error ? new ConfigError(error.message) : error
}
