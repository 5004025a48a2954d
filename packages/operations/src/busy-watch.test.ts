import { expect, test } from 'vitest'
import { watchBusy } from './busy-watch.ts'
import { limits } from './limits.ts'

/** A watch of a storage with a clock, and of an event loop that was busy for a part of the time. */
function watched(atFirst?: number) {
  let nowMs = 0
  let units = 100
  let utilization = 0.5
  const busySince = watchBusy(
    { storage: { totals: () => ({ units, batches: 1 }) }, clock: { now: () => nowMs } },
    atFirst,
    { eventLoopUtilization: () => ({ active: 0, idle: 0, utilization }) },
  )
  return (ms: number, committed: number, own: number, busy = 0.5) => {
    nowMs += ms
    units += committed
    utilization = busy
    return busySince(own)
  }
}

const many = limits.busyUnitsPerSecond
const { min, max } = limits.busyFactor

test('there are many payments if more units than the own ones were committed lately', () => {
  const after = watched()
  expect(after(1000, 5, 5)).toBe(0)
  expect(after(1000, many, 0)).toBe(0)
  expect(after(1000, many + 6, 5)).toBe(1)
  expect(after(limits.busyWindowMs / 2, 0, 0), 'the window has not ended').toBe(1)
  expect(after(1000, 0, 0)).toBe(0)
  expect(after(limits.busyWindowMs / 2, 2, 2)).toBe(0)
  expect(after(limits.busyWindowMs / 2, many, 1), 'units of the whole window').toBe(1)
})

test.each([
  [0, min],
  [0.5, 1],
  [0.75, 3],
  [0.99, max],
  [1, max],
])('beside payments that keep the event loop busy for %d of the time, the factor is %d', (busy, factor) => {
  expect(watched()(1000, many + 1, 0, busy)).toBe(factor)
})

test.each([0, 1])('until the first count, it is as stated: %d', (atFirst) => {
  expect(watched(atFirst)(0, 0, 0)).toBe(atFirst)
})
