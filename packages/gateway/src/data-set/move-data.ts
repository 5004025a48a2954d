import { join } from 'node:path'
import { type MoveProgress, type MoveResult, moveToPostgres } from '@tollgate/storage'
import { type Config, ConfigError } from '../config.ts'
import { dataError } from './data-error.ts'

/**
 * Moves the data of a gateway that is stopped from its SQLite file to the PostgreSQL database that is to take its
 * place. A run that was ended is taken up by the next one.
 *
 * @throws ConfigError in one line for whatever stands against it
 */
export async function moveData({ data, databaseUrl }: Config, progress: MoveProgress): Promise<MoveResult> {
  if (databaseUrl === undefined) {
    throw new ConfigError('TOLLGATE_DATABASE_URL must name the empty PostgreSQL database that the data goes to')
  }
  const file = join(data, 'tollgate.db')
  try {
    return await moveToPostgres(file, databaseUrl, progress)
  } catch (error) {
    throw dataError(error, databaseUrl, file)
  }
}
