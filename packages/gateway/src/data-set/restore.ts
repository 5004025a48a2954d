import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { restoreSqlite } from '@tollgate/storage'
import { type Config, ConfigError } from '../config.ts'
import { tombstoneFiles } from '../tombstones/tombstone-log.ts'
import { KEY_CHECK, keyCheckFor, readKeys } from '../keys/open-keys.ts'
import { dataError } from './data-error.ts'

/**
 * Restores a backup in the place of a lost SQLite file, after it proved whole, of a known schema and under the given
 * keys. The next start of the gateway erases again all accounts that the tombstone log names; the log must exist.
 *
 * @param withoutErasures the log is lost: accounts that were erased since the backup are restored
 * @throws ConfigError in one line for any failure; nothing has changed then
 */
export async function restore(config: Config, from: string, withoutErasures: boolean): Promise<void> {
  const { data, databaseUrl } = config
  if (databaseUrl !== undefined) {
    throw new ConfigError(
      'the data is in PostgreSQL: restore it with the tools of PostgreSQL, or unset TOLLGATE_DATABASE_URL',
    )
  }
  if (!withoutErasures && tombstoneFiles(data).length === 0) {
    throw new ConfigError(
      `there is no erasures.log in ${data}, so that what was erased since the backup would live again: ` +
        'put its newest copy there, or say --without-erasures where it is lost',
    )
  }
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 })
    await restoreSqlite(from, join(data, 'tollgate.db'), async (installation) => {
      const { ring, source } = await readKeys(config)
      keyCheckFor(ring, source, installation.get(KEY_CHECK))
    })
  } catch (error) {
    throw dataError(error, databaseUrl, from)
  }
}
