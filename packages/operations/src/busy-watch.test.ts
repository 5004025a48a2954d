import { expect, test } from 'vitest'
import { watchBusy } from './busy-watch.ts'
import { limits } from './limits.ts'

test('there are many payments if more units than the own ones were committed lately', () => {
  let nowMs = 0
  let units = 100
  const isBusySince = watchBusy({
    storage: { totals: () => ({ units, batches: 1 }) },
    clock: { now: () => nowMs },
  })
  const after = (ms: number, committed: number, own: number) => {
    nowMs += ms
    units += committed
    return isBusySince(own)
  }
  const many = limits.busyUnitsPerSecond

  expect(after(1000, 5, 5)).toBe(false)
  expect(after(1000, many, 0)).toBe(false)
  expect(after(1000, many + 6, 5)).toBe(true)
  expect(after(limits.busyWindowMs / 2, 0, 0), 'the window has not ended').toBe(true)
  expect(after(1000, 0, 0)).toBe(false)
  expect(after(limits.busyWindowMs / 2, 2, 2)).toBe(false)
  expect(after(limits.busyWindowMs / 2, many, 1), 'units of the whole window').toBe(true)
})

test.each([true, false])('until the first count, it is as stated: %s', (isBusyAtFirst) => {
  const isBusySince = watchBusy(
    { storage: { totals: () => ({ units: 0, batches: 0 }) }, clock: { now: () => 0 } },
    isBusyAtFirst,
  )
  expect(isBusySince(0)).toBe(isBusyAtFirst)
})
