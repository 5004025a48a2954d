import type { OperationName } from '@tollgate/contract'
import type { Config } from '../config.ts'
import type { Directory } from '@tollgate/operations'
import { limits } from '../limits.ts'
import { requestsPerMinute } from './requests-per-minute.ts'
import type { RateCounters } from './rate-counters.ts'
import { createThrottle } from './throttle.ts'

/**
 * Limits the requests of one operation.
 *
 * @returns a function that counts a request for the entity of its token or login. It returns 0 for an admitted request,
 *   otherwise the milliseconds to wait
 */
export type RequestThrottle = (operation: OperationName) => (entityId: string, nowMs: number) => number

/** Limits requests per minute to the setting of the entity or of one above it, otherwise to the default. */
export function throttleRequests(
  directory: Pick<Directory, 'tenantSettingsOf'>,
  environment: Config['environment'],
  rateCounters: Pick<RateCounters, 'share'>,
): RequestThrottle {
  return (operation) => {
    const throttle = rateCounters.share(operation, createThrottle(limits.throttleWindowMs, limits.throttleKeysMax))
    const defaultLimit = requestsPerMinute[operation][environment]
    return (entityId, nowMs) => {
      const requestsMax = directory.tenantSettingsOf(entityId).throttle[operation] ?? defaultLimit
      return requestsMax === 'off' ? 0 : throttle.take(entityId, requestsMax, nowMs)
    }
  }
}
