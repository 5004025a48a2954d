import { StorageError } from '@tollgate/storage'
import { openGateway } from './compose.ts'
import { type Config, ConfigError } from './config.ts'
import { checkInstallation, type CheckResult } from './http/manage/installation-checks.ts'
import { systemClock } from './runtime/clock/movable-clock.ts'
import { openLog } from './runtime/log.ts'
import { startError } from './start-error.ts'

/**
 * Checks an installation whose gateway does not run: opens all its parts as a start does, without the listeners, and
 * closes them again. Connectors connect to their acquirers; no payment is made, and no job runs. The log is written to
 * standard error.
 *
 * @throws ConfigError of one line if a start would be refused, or if another process owns the data
 */
export async function checkStopped(config: Config): Promise<readonly CheckResult[]> {
  const { gateway, close } = await openGateway(config, systemClock, () =>
    openLog(config.logLevel, STANDARD_ERROR),
  ).catch((error: unknown) =>
    Promise.reject(isInUse(error) ? new ConfigError(`${error.message}; ${ASK_OWNER}`) : startError(error, config)),
  )
  try {
    gateway.connectors.open()
    return await checkInstallation(gateway)
  } finally {
    await gateway.connectors.close()
    await close()
    gateway.log.flush()
  }
}

const STANDARD_ERROR = 2
const isInUse = (error: unknown): error is StorageError => error instanceof StorageError && error.kind === 'in-use'
const ASK_OWNER =
  'set HOST, PORT and TOLLGATE_MANAGE_PORT to the values of that process, which then makes the check, or stop it first'
