import type { OperationName } from '@tollgate/contract'
import type { Config } from '../config.ts'
import type { Directory } from '@tollgate/operations'
import { limits } from '../limits.ts'
import { requestsAMinute } from './requests-a-minute.ts'
import type { RateCounters } from './rate-counter.ts'
import { createThrottle } from './throttle.ts'

/**
 * Counts the requests of one operation.
 *
 * @returns what counts a request of the entity whose token or login came with it: 0, or the milliseconds to wait
 */
export type RequestThrottle = (operation: OperationName) => (entityId: string, nowMs: number) => number

/** Requests in a minute: the setting of the entity or of one above it, otherwise the default. */
export function throttleRequests(
  directory: Pick<Directory, 'termsOf'>,
  environment: Config['environment'],
  rateCounters: Pick<RateCounters, 'share'>,
): RequestThrottle {
  return (operation) => {
    const throttle = rateCounters.share(operation, createThrottle(limits.throttleWindowMs, limits.throttleKeysMax))
    const standard = requestsAMinute[operation][environment]
    return (entityId, nowMs) => {
      const places = directory.termsOf(entityId).throttle[operation] ?? standard
      return places === 'off' ? 0 : throttle.take(entityId, places, nowMs)
    }
  }
}
