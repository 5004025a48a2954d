import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { createFailedLogins, networkOf } from './failed-logins.ts'
import { createRateCounters } from './rate-counters.ts'

const rateCounters = createRateCounters({ now: () => 0 }, false)

test('each address has a limit of failed logins per minute', () => {
  const failedLogins = createFailedLogins(rateCounters)
  for (let count = 0; count < limits.failedLoginsPerMinute; count += 1)
    expect(failedLogins.record('192.0.2.1', 0)).toBe(0)
  expect(failedLogins.record('192.0.2.1', 1_000)).toBe(59_000)
  expect(failedLogins.record('192.0.2.2', 1_000)).toBe(0)
  expect(failedLogins.record(undefined, 1_000)).toBe(0)
  expect(failedLogins.record('192.0.2.1', 60_000)).toBe(0)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  ['', ''],
])('the address %j is counted as %j', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
