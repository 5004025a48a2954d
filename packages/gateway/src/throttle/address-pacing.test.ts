import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { createAddressPacing } from './address-pacing.ts'

const clock = { nowMs: 5_000 }
const newPacing = () => createAddressPacing(() => clock.nowMs)
const intervalMs = 1000 / limits.addressRequestsPerSecond

test('an address sends a burst without delay, and further requests at a fixed rate', () => {
  const waitFor = newPacing()
  const waits = Array.from({ length: limits.addressBurst + 3 }, () => waitFor('192.0.2.1'))
  expect(waits.slice(0, limits.addressBurst).every((ms) => ms === 0)).toBe(true)
  expect(waits.slice(limits.addressBurst).map((ms) => Math.round(ms / intervalMs))).toEqual([1, 2, 3])
})

test('a request that would wait for too long is refused and delays no other', () => {
  const waitFor = newPacing()
  const room = limits.addressBurst + (limits.addressWaitMsMax / 1000) * limits.addressRequestsPerSecond
  for (let sent = 0; sent < room; sent += 1) expect(waitFor('192.0.2.1')).toBeLessThanOrEqual(limits.addressWaitMsMax)
  const refused = [waitFor('192.0.2.1'), waitFor('192.0.2.1')]
  expect(refused[0]).toBeGreaterThan(limits.addressWaitMsMax)
  expect(refused[1]).toBe(refused[0])
  clock.nowMs += 1_000
  expect(waitFor('192.0.2.1')).toBeLessThanOrEqual(limits.addressWaitMsMax)
})

test('a request may count as several', () => {
  const waitFor = newPacing()
  expect(waitFor('192.0.2.1', limits.addressBurst)).toBe(0)
  expect(Math.round(waitFor('192.0.2.1', 20) / intervalMs)).toBe(20)
  expect(Math.round(waitFor('192.0.2.1') / intervalMs)).toBe(21)
})

test('another address does not wait; IPv6 addresses with equal first 64 bits count as one', () => {
  const waitFor = newPacing()
  for (let sent = 0; sent < limits.addressBurst; sent += 1) waitFor(`2001:db8::${sent.toString(16)}`)
  expect(waitFor('2001:db8::ffff')).toBeGreaterThan(0)
  expect(waitFor('2001:db8:0:1::1')).toBe(0)
})

test('the oldest addresses are dropped if there are too many', () => {
  const waitFor = newPacing()
  for (let sent = 0; sent < limits.addressBurst; sent += 1) waitFor('192.0.2.1')
  for (let other = 0; other < limits.throttleKeysMax; other += 1) waitFor(`2001:db8:${other.toString(16)}::1`)
  expect(waitFor('192.0.2.1')).toBe(0)
})
