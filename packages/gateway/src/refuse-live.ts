import type { Storage } from '@tollgate/storage'
import { type Config, ConfigError, settings } from './config.ts'
import { isOfSandbox } from '@tollgate/operations'
import { storedClockOffset } from './runtime/clock/stored-clock.ts'

/**
 * Refuses the data of a test environment in the live environment.
 *
 * @throws ConfigError of one line that names the setting
 */
export async function refuseLive({ databaseUrl }: Config, storage: Storage): Promise<void> {
  const { name } = databaseUrl === undefined ? settings.data : settings.databaseUrl
  const rows = [...(await storage.entities()), ...(await storage.accessTokens())]
  if (rows.some(isOfSandbox)) {
    throw new ConfigError(
      `${name} names data with the sandbox merchant, whose token is published: ` +
        'the live environment needs data of its own',
    )
  }
  if ((await storedClockOffset(storage)) !== 0) {
    throw new ConfigError(
      `${name} names data whose clock was put forward for tests: the live environment needs data of its own`,
    )
  }
}
