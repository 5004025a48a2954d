import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { emptyWindow, enterWindow } from './sliding-window.ts'

const WINDOW_MS = 60_000
const SPAN_MS = WINDOW_MS / limits.spansOfWindow

/** Sends a request at each time; returns the times of the admitted ones. */
function admitted(places: number, momentsMs: readonly number[]): readonly number[] {
  const window = emptyWindow()
  return momentsMs.filter((nowMs) => enterWindow(window, places, WINDOW_MS, nowMs) === 0)
}

/** Requests in bursts and after pauses, some of them longer than the window. */
const moments = fc
  .array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 2 * WINDOW_MS })), {
    maxLength: 300,
  })
  .map((pausesMs) => {
    let nowMs = 1_700_000_000_000
    return pausesMs.map((pauseMs) => (nowMs += pauseMs))
  })
const places = fc.integer({ min: 1, max: 20 })

describe('any requests at any times', () => {
  test('no window contains more requests than the limit', () => {
    fc.assert(
      fc.property(places, moments, (count, all) => {
        const entered = admitted(count, all)
        for (const [index, atMs] of entered.entries()) {
          const first = entered[index - count]
          if (first !== undefined) expect(atMs - first).toBeGreaterThanOrEqual(WINDOW_MS)
        }
      }),
    )
  })

  test('fewer requests than the limit in a window and a tenth are admitted', () => {
    fc.assert(
      fc.property(places, moments, (count, all) => {
        const window = emptyWindow()
        const entered: number[] = []
        for (const nowMs of all) {
          const lately = entered.filter((atMs) => nowMs - atMs < WINDOW_MS + SPAN_MS).length
          if (enterWindow(window, count, WINDOW_MS, nowMs) === 0) entered.push(nowMs)
          else expect(lately).toBeGreaterThanOrEqual(count)
        }
      }),
    )
  })

  test('after a window of silence all places are free at once', () => {
    fc.assert(
      fc.property(places, moments, (count, all) => {
        const window = emptyWindow()
        for (const nowMs of all) enterWindow(window, count, WINDOW_MS, nowMs)
        const laterMs = (all.at(-1) ?? 0) + WINDOW_MS
        for (let more = 0; more < count; more += 1) expect(enterWindow(window, count, WINDOW_MS, laterMs)).toBe(0)
        expect(enterWindow(window, count, WINDOW_MS, laterMs)).toBe(WINDOW_MS)
      }),
    )
  })

  test('a request is admitted exactly at the Retry-After time, not a millisecond before', () => {
    fc.assert(
      fc.property(places, moments, (count, all) => {
        const window = emptyWindow()
        for (const nowMs of all) {
          const waitMs = enterWindow(window, count, WINDOW_MS, nowMs)
          if (waitMs === 0) continue
          expect(waitMs).toBeLessThanOrEqual(WINDOW_MS)
          const early = structuredClone(window)
          expect(enterWindow(early, count, WINDOW_MS, nowMs + waitMs - 1)).toBe(1)
          expect(enterWindow(structuredClone(window), count, WINDOW_MS, nowMs + waitMs)).toBe(0)
        }
      }),
    )
  })

  test('the memory of a window does not grow with its requests', () => {
    fc.assert(
      fc.property(moments, (all) => {
        const window = emptyWindow()
        for (const nowMs of all) {
          enterWindow(window, 1_000_000, WINDOW_MS, nowMs)
          expect(window.spans.length).toBeLessThanOrEqual(limits.spansOfWindow + 2)
          expect(window.requests).toBe(window.spans.reduce((sum, { requests }) => sum + requests, 0))
        }
      }),
    )
  })
})

test('a burst, then a steady stream', () => {
  expect(admitted(3, [0, 0, 0, 0, 59_999, 60_000, 60_001])).toEqual([0, 0, 0, 60_000, 60_001])
  const steady = Array.from({ length: 1_000 }, (_, index) => index * 700)
  expect(admitted(100, steady)).toEqual(steady)
})

test('after a decrease of the limit earlier requests count until they leave the window', () => {
  const window = emptyWindow()
  for (const atMs of [0, 10_000, 20_000]) enterWindow(window, 3, WINDOW_MS, atMs)
  expect(enterWindow(window, 2, WINDOW_MS, 30_000)).toBe(40_000)
  expect(enterWindow(window, 4, WINDOW_MS, 30_000)).toBe(0)
})

describe('a clock that is set back', () => {
  test('by a little: all counts remain, and no request is admitted earlier', () => {
    const window = emptyWindow()
    enterWindow(window, 1, WINDOW_MS, 100_000)
    expect(enterWindow(window, 1, WINDOW_MS, 99_000)).toBe(WINDOW_MS + 1_000)
    expect(enterWindow(window, 1, WINDOW_MS, 160_000)).toBe(0)
  })

  test('by an hour: the clock was corrected, and the window starts empty', () => {
    const window = emptyWindow()
    enterWindow(window, 1, WINDOW_MS, 3_700_000)
    expect(enterWindow(window, 1, WINDOW_MS, 100_000)).toBe(0)
    expect(enterWindow(window, 1, WINDOW_MS, 100_000)).toBe(WINDOW_MS)
  })
})
