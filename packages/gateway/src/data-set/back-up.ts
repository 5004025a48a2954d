import { join } from 'node:path'
import { backUpSqlite } from '@tollgate/storage'
import { type Config, ConfigError } from '../config.ts'
import { dataError } from './data-error.ts'

/**
 * Copies the present state of the SQLite file, which a gateway may be using. The copy contains neither the keys nor the
 * tombstone log.
 *
 * @param to path of the copy, which must not exist
 * @throws ConfigError of one line if the data are in PostgreSQL, or a file or the machine prevents the copy
 */
export function backUp({ data, databaseUrl }: Config, to: string): void {
  if (databaseUrl !== undefined) {
    throw new ConfigError(
      'the data is in PostgreSQL: back it up with the tools of PostgreSQL, or unset TOLLGATE_DATABASE_URL',
    )
  }
  try {
    backUpSqlite(join(data, 'tollgate.db'), to)
  } catch (error) {
    throw dataError(error, databaseUrl, to)
  }
}
