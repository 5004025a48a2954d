import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { restoreSqlite } from '@tollgate/storage'
import { type Config, ConfigError } from '../config.ts'
import { tombstoneFiles } from '../tombstones/tombstone-log.ts'
import { KEY_CHECK, keyCheckFor, readKeys } from '../keys/open-keys.ts'
import { dataError } from './data-error.ts'

/**
 * Restores a backup in place of a lost SQLite file, after a check that the backup is complete, has a supported schema
 * and fits the configured keys. The next start of the gateway replays the tombstone log, which must exist, and so
 * erases the listed accounts again.
 *
 * @param withoutErasures true if the log is lost; accounts that were erased after the backup are then restored
 * @throws ConfigError of one line if the restoration fails; no file is then created
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
      `there is no erasures.log in ${data}: without it, accounts erased since the backup would be restored; ` +
        'put its newest copy there, or pass --without-erasures if it is lost',
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
