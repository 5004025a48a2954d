import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { emptyWindow, enterWindow } from './sliding-window.ts'

const WINDOW_MS = 60_000
const BUCKET_MS = WINDOW_MS / limits.bucketsPerWindow

/** Sends a request at each time; returns the times of the admitted requests. */
function admitted(limit: number, timesMs: readonly number[]): readonly number[] {
  const window = emptyWindow()
  return timesMs.filter((nowMs) => enterWindow(window, limit, WINDOW_MS, nowMs) === 0)
}

/** The times of requests in bursts and after pauses, some of which are longer than the window. */
const anyTimesMs = fc
  .array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 2 * WINDOW_MS })), {
    maxLength: 300,
  })
  .map((pausesMs) => {
    let nowMs = 1_700_000_000_000
    return pausesMs.map((pauseMs) => (nowMs += pauseMs))
  })
const anyLimit = fc.integer({ min: 1, max: 20 })

describe('any requests at any times', () => {
  test('no window contains more admitted requests than the limit', () => {
    fc.assert(
      fc.property(anyLimit, anyTimesMs, (limit, timesMs) => {
        const admittedMs = admitted(limit, timesMs)
        for (const [index, atMs] of admittedMs.entries()) {
          const earlierMs = admittedMs[index - limit]
          if (earlierMs !== undefined) expect(atMs - earlierMs).toBeGreaterThanOrEqual(WINDOW_MS)
        }
      }),
    )
  })

  test('a request is admitted if fewer than the limit were admitted in the last window and a tenth', () => {
    fc.assert(
      fc.property(anyLimit, anyTimesMs, (limit, timesMs) => {
        const window = emptyWindow()
        const admittedMs: number[] = []
        for (const nowMs of timesMs) {
          const recent = admittedMs.filter((atMs) => nowMs - atMs < WINDOW_MS + BUCKET_MS).length
          if (enterWindow(window, limit, WINDOW_MS, nowMs) === 0) admittedMs.push(nowMs)
          else expect(recent).toBeGreaterThanOrEqual(limit)
        }
      }),
    )
  })

  test('after a window without requests as many requests as the limit are admitted at once', () => {
    fc.assert(
      fc.property(anyLimit, anyTimesMs, (limit, timesMs) => {
        const window = emptyWindow()
        for (const nowMs of timesMs) enterWindow(window, limit, WINDOW_MS, nowMs)
        const laterMs = (timesMs.at(-1) ?? 0) + WINDOW_MS
        for (let request = 0; request < limit; request += 1)
          expect(enterWindow(window, limit, WINDOW_MS, laterMs)).toBe(0)
        expect(enterWindow(window, limit, WINDOW_MS, laterMs)).toBe(WINDOW_MS)
      }),
    )
  })

  test('a request is admitted after the returned wait, not a millisecond before', () => {
    fc.assert(
      fc.property(anyLimit, anyTimesMs, (limit, timesMs) => {
        const window = emptyWindow()
        for (const nowMs of timesMs) {
          const waitMs = enterWindow(window, limit, WINDOW_MS, nowMs)
          if (waitMs === 0) continue
          expect(waitMs).toBeLessThanOrEqual(WINDOW_MS)
          const early = structuredClone(window)
          expect(enterWindow(early, limit, WINDOW_MS, nowMs + waitMs - 1)).toBe(1)
          expect(enterWindow(structuredClone(window), limit, WINDOW_MS, nowMs + waitMs)).toBe(0)
        }
      }),
    )
  })

  test('the memory of a window does not grow with its requests', () => {
    fc.assert(
      fc.property(anyTimesMs, (timesMs) => {
        const window = emptyWindow()
        for (const nowMs of timesMs) {
          enterWindow(window, 1_000_000, WINDOW_MS, nowMs)
          expect(window.buckets.length).toBeLessThanOrEqual(limits.bucketsPerWindow + 2)
          expect(window.requests).toBe(window.buckets.reduce((sum, { requests }) => sum + requests, 0))
        }
      }),
    )
  })
})

test('a burst is admitted up to the limit, and a steady stream below the limit is admitted', () => {
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
  test('by a second keeps all counts, and admits no request earlier', () => {
    const window = emptyWindow()
    enterWindow(window, 1, WINDOW_MS, 100_000)
    expect(enterWindow(window, 1, WINDOW_MS, 99_000)).toBe(WINDOW_MS + 1_000)
    expect(enterWindow(window, 1, WINDOW_MS, 160_000)).toBe(0)
  })

  test('by more than the length of the window empties the window', () => {
    const window = emptyWindow()
    enterWindow(window, 1, WINDOW_MS, 3_700_000)
    expect(enterWindow(window, 1, WINDOW_MS, 100_000)).toBe(0)
    expect(enterWindow(window, 1, WINDOW_MS, 100_000)).toBe(WINDOW_MS)
  })
})
