import { join } from 'node:path'
import { type MoveProgress, type MoveResult, moveToPostgres } from '@tollgate/storage'
import { type Config, ConfigError } from '../config.ts'
import { dataError } from './data-error.ts'

/**
 * Moves the data of a stopped gateway from its SQLite file to a PostgreSQL database. The next run continues an
 * interrupted one.
 *
 * @throws ConfigError of one line if the move fails
 */
export async function moveData({ data, databaseUrl }: Config, progress: MoveProgress): Promise<MoveResult> {
  if (databaseUrl === undefined) {
    throw new ConfigError('TOLLGATE_DATABASE_URL must name the empty PostgreSQL database to which the data is moved')
  }
  const file = join(data, 'tollgate.db')
  try {
    return await moveToPostgres(file, databaseUrl, progress)
  } catch (error) {
    throw dataError(error, databaseUrl, file)
  }
}
