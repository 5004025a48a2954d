import { expect, test } from 'vitest'
import { limits } from './limits.ts'
import { waitForLull } from './wait.ts'

/** An event loop in which the timer of each wait, in order, is late by some milliseconds; later ones are in time. */
function loopWithLateness(...lateMs: number[]) {
  const waitsMs: number[] = []
  let nowMs = 0
  return {
    waitsMs,
    now: () => nowMs,
    async wait(ms: number) {
      waitsMs.push(ms)
      nowMs += ms + (lateMs.shift() ?? 0)
    },
  }
}

const late = limits.loopLateMs
const { lullPauseMs: more, lullWaitMs } = limits

test.each([
  ['in time', [late - 1], [75]],
  ['late twice', [late, late, late - 1], [75, more, more]],
])('while the event loop is late, a wait goes on: %s', async (_name, lateness, waitsMs) => {
  const loop = loopWithLateness(...lateness)
  await waitForLull(loop)(75)
  expect(loop.waitsMs).toEqual(waitsMs)
})

test('a wait goes on for a limited time', async () => {
  const loop = loopWithLateness(...Array.from({ length: 1_000 }, () => late))
  await waitForLull(loop)(75)
  expect(loop.waitsMs.slice(1).reduce((sum, ms) => sum + ms, 0)).toBe(lullWaitMs)
})

test('a short pause does not go on, because there are no payments', async () => {
  const loop = loopWithLateness(late)
  await waitForLull(loop)(more - 1)
  expect(loop.waitsMs).toEqual([more - 1])
})

test('a wait ends when its signal aborts', async () => {
  const loop = loopWithLateness(late, late)
  await waitForLull(loop)(75, AbortSignal.abort())
  expect(loop.waitsMs).toEqual([75])
})
