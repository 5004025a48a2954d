import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { restoreSqlite } from '@tollgate/storage'
import { type Config, ConfigError } from '../config.ts'
import { tombstoneFiles } from '../tombstones/tombstone-log.ts'
import { KEY_CHECK, keyCheckFor, readKeys } from '../keys/open-keys.ts'
import { dataError } from './data-error.ts'

/**
 * Puts a backup in the place of a SQLite file that is gone, once it is found whole, of a schema that this program
 * knows, and under the keys at hand. What was erased since the backup was made, the gateway erases again at its next
 * start: it knows it from the file of erasures, which must be there.
 *
 * @param withoutErasures that file is lost: what was erased since lives again
 * @throws ConfigError in one line for whatever stands against it; then nothing has changed
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
