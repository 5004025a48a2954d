import { expect, test } from 'vitest'
import { watchBusy } from './busy-watch.ts'
import { limits } from './limits.ts'
import { testLoop } from './testing/loop-times.ts'

/** A watch. @returns the factor after a time in which units were committed and the event loop was busy for a part */
function watched() {
  let units = 100
  const eventLoop = testLoop()
  const counts = { bulkUnits: 10 }
  const parts = { storage: { totals: () => ({ units, batches: 1 }) }, eventLoop, counts }
  const factorAfter = watchBusy(parts)
  const otherFactorAfter = watchBusy(parts)
  return {
    after: (ms: number, committed: number, own: number, busyPart?: number) => {
      eventLoop.pass(ms, busyPart)
      units += committed
      return factorAfter(own)
    },
    /** Commits units of other bulk work. */
    commitOther: (committed: number) => {
      units += committed
      otherFactorAfter(committed)
    },
  }
}

const many = limits.busyUnitsPerSecond
const { min, max } = limits.pauseFactor

test('there are many payments if more units than the own ones were committed lately', () => {
  const { after } = watched()
  expect(after(1000, 5, 5)).toBe(0)
  expect(after(1000, many, 0)).toBe(0)
  expect(after(1000, many + 6, 5)).toBe(1)
  expect(after(limits.busyEndWindowMs / 2, 0, 0), 'the window has not ended').toBe(1)
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
])('beside payments, while the event loop is busy for %d of the time, the factor is %d', (busyPart, factor) => {
  const { after } = watched()
  expect(after(1000, 0, 0)).toBe(0)
  expect(after(1000, many + 1, 0, 0.9), 'the event loop was busy with bulk work').toBe(1)
  expect(after(1000, many + 1, 0, busyPart)).toBe(factor)
})

test('units of other bulk work are not those of payments', () => {
  const { after, commitOther } = watched()
  commitOther(many)
  expect(after(1000, many, 1)).toBe(0)
  commitOther(many)
  expect(after(1000, many + 1, 0)).toBe(1)
})

test('until the first count, there may be payments', () => {
  expect(watched().after(0, 0, 0)).toBe(1)
})
