import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import type { TenantSettings } from '@tollgate/operations'
import { requestsPerMinute } from './requests-per-minute.ts'
import { throttleRequests } from './throttle-requests.ts'
import { createRateCounters } from './rate-counters.ts'

const rateCounters = createRateCounters({ now: () => 0 }, false)

const createRequestThrottle = (environment: 'test' | 'live', throttle: TenantSettings['throttle'] = {}) =>
  throttleRequests({ tenantSettingsOf: () => ({ tenant: 'm', throttle, isLegacy: false }) }, environment, rateCounters)

/** The number of admitted requests among `sent`. */
function admittedOf(take: () => number, sent: number): number {
  let count = 0
  for (let index = 0; index < sent; index += 1) if (take() === 0) count += 1
  return count
}

test.each(['test', 'live'] as const)('a default limit applies to each entity in %s', (environment) => {
  const take = createRequestThrottle(environment)('deleteRegistration')
  const permitted = requestsPerMinute.deleteRegistration[environment]
  expect(admittedOf(() => take('a', 0), permitted)).toBe(permitted)
  expect(take('a', 0)).toBe(limits.throttleWindowMs)
  expect(take('b', 0)).toBe(0)
})

test('a configured limit overrides the default of its operation', () => {
  const throttle = createRequestThrottle('live', { getPayment: 1, createPayment: 'off' })
  const take = throttle('getPayment')
  expect([take('a', 0), take('a', 0), take('b', 0)]).toEqual([0, limits.throttleWindowMs, 0])
  const takePayment = throttle('createPayment')
  const aboveDefault = requestsPerMinute.createPayment.live + 1
  expect(admittedOf(() => takePayment('a', 0), aboveDefault)).toBe(aboveDefault)
})

test('operations are counted separately', () => {
  const throttle = createRequestThrottle('live', { getPayment: 1, getRegistration: 1 })
  expect([throttle('getPayment')('a', 0), throttle('getRegistration')('a', 0)]).toEqual([0, 0])
})
