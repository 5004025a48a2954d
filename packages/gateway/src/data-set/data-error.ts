import { StorageError, type StorageErrorKind } from '@tollgate/storage'
import { ConfigError } from '../config.ts'

/** What is to be done about it, where that does not follow from what is said already. */
const remedies: Partial<Record<StorageErrorKind, string>> = {
  full: 'make room, and run it again',
  'in-use': 'stop the gateway first',
}

/**
 * What stands against a command on all data, in one line, where it lies with files, the database or the machine and not
 * with the program.
 *
 * @param databaseUrl where there is one, errors that do not name the SQLite file are about it
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
