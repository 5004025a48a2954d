import { StorageError } from '@tollgate/storage'
import { type Config, ConfigError } from './config.ts'

/**
 * The error of a failed start: a ConfigError of one line if the database, a file or the machine caused it, any other
 * error unchanged.
 */
export function startError(error: unknown, { databaseUrl }: Config): unknown {
  if (error instanceof StorageError && databaseUrl !== undefined) {
    return new ConfigError(`the database that TOLLGATE_DATABASE_URL names cannot be used: ${error.message}`)
  }
  const isSystemError = error instanceof StorageError || (error instanceof Error && 'syscall' in error)
  if (!isSystemError) return error
  const [, remedy] = remedies.find(([pattern]) => pattern.test(error.message)) ?? []
  return new ConfigError(remedy === undefined ? error.message : `${error.message}; ${remedy}`)
}

/** Remedies for files and folders that cannot be used, by the error message of the system or of SQLite. */
const remedies: readonly (readonly [pattern: RegExp, remedy: string])[] = [
  [
    /^(EACCES|EPERM)\b/,
    'the user that runs Tollgate must own it, or set TOLLGATE_DATA and TOLLGATE_KEYS to paths of that user',
  ],
  [/readonly database$/, 'the user that runs Tollgate must own the file and its folder'],
  [/^EROFS\b/, 'set TOLLGATE_DATA to a folder on a disk that can be written'],
  [/^ENOSPC\b|is full$/, 'make space on the disk'],
  [/^(EEXIST|ENOTDIR)\b/, 'set TOLLGATE_DATA to a folder'],
]
