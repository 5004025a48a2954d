import { expect, test } from 'vitest'
import { watchBusy } from './busy-watch.ts'
import { limits } from './limits.ts'
import { testLoop } from './testing/loop-times.ts'

/** A watch. @returns the factor after a time in which units were committed and the event loop was busy for a part */
function watched() {
  let units = 100
  const eventLoop = testLoop()
  const nextPauseFactor = watchBusy({ commands: { units: () => units }, eventLoop })
  return (ms: number, committed: number, busyPart?: number) => {
    eventLoop.pass(ms, busyPart)
    units += committed
    return nextPauseFactor()
  }
}

const many = limits.busyUnitsPerSecond
const { min, max } = limits.pauseFactor

test('there are many payments if requests have committed more units than the bound lately', () => {
  const factorAfter = watched()
  expect(factorAfter(1000, many)).toBe(0)
  expect(factorAfter(1000, many + 1)).toBe(1)
  expect(factorAfter(limits.busyEndWindowMs / 2, 0), 'the window has not ended').toBe(1)
  expect(factorAfter(1000, 0)).toBe(0)
  expect(factorAfter(limits.busyWindowMs / 2, 0)).toBe(0)
  expect(factorAfter(limits.busyWindowMs / 2, many), 'units of the whole window').toBe(1)
})

test.each([
  [0, min],
  [0.5, 1],
  [0.75, 3],
  [0.99, max],
  [1, max],
])('beside payments, while the event loop is busy for %d of the time, the factor is %d', (busyPart, factor) => {
  const factorAfter = watched()
  expect(factorAfter(1000, 0)).toBe(0)
  expect(factorAfter(1000, many + 1, 0.9), 'the event loop was busy with bulk work').toBe(1)
  expect(factorAfter(1000, many + 1, busyPart)).toBe(factor)
})

test('until the first count, there may be payments', () => {
  expect(watched()(0, 0)).toBe(1)
})
