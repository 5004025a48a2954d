import { StorageError, type StorageErrorKind } from '@tollgate/storage'
import { ConfigError } from '../config.ts'

/** Remedies of errors whose messages contain none. */
const remedies: Partial<Record<StorageErrorKind, string>> = {
  full: 'free disk space and run the command again',
  'in-use': 'stop the gateway first',
}

/**
 * The error of a command on all data: a ConfigError of one line if a file, the database or the machine caused it, any
 * other error unchanged.
 *
 * @param databaseUrl undefined if the data are in the SQLite file
 * @param file path of the file that the command reads or writes
 */
export function dataError(error: unknown, databaseUrl: string | undefined, file: string): unknown {
  if (error instanceof StorageError) {
    const { kind, message } = error
    const isOfDatabase = databaseUrl !== undefined && !message.includes(file)
    const prefix = isOfDatabase ? 'the database that TOLLGATE_DATABASE_URL names cannot be used: ' : ''
    const rightsRemedy = /^(permission denied|must be owner)/.test(message)
      ? 'the user needs the rights of the owner of the database'
      : undefined
    const remedy = rightsRemedy ?? remedies[kind]
    return new ConfigError(`${prefix}${message}${remedy === undefined ? '' : `; ${remedy}`}`)
  }
  return error instanceof Error && 'syscall' in error ? new ConfigError(error.message) : error
}
