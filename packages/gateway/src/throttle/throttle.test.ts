import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createThrottle } from './throttle.ts'

const WINDOW_MS = 60_000

test('keys are counted separately', () => {
  const throttle = createThrottle(WINDOW_MS, 100)
  expect(['a', 'b', 'a', 'b'].map((key) => throttle.take(key, 1, 0))).toEqual([0, 0, WINDOW_MS, WINDOW_MS])
})

test('rotations of the maps admit no request beyond the limit, and delay none by more than a tenth of a window', () => {
  const throttle = createThrottle(WINDOW_MS, 100)
  const admittedAtMs: number[] = []
  for (let nowMs = 0; nowMs < 10 * WINDOW_MS; nowMs += 1_700) {
    throttle.take('another', 1, nowMs)
    if (throttle.take('a', 3, nowMs) === 0) admittedAtMs.push(nowMs)
  }
  for (const [index, atMs] of admittedAtMs.entries())
    expect((admittedAtMs[index + 3] ?? Infinity) - atMs).toBeGreaterThanOrEqual(WINDOW_MS)
  // Three requests are admitted at least every 1.1 windows, so nine times in ten windows.
  expect(admittedAtMs.length).toBeGreaterThanOrEqual(27)
})

test('the count of an infrequent key is kept across a rotation', () => {
  const throttle = createThrottle(WINDOW_MS, 100)
  expect(throttle.take('a', 1, WINDOW_MS - 1)).toBe(0)
  throttle.take('b', 1, WINDOW_MS)
  expect(throttle.take('a', 1, 2 * WINDOW_MS - 2)).toBe(1)
  throttle.take('b', 1, 2 * WINDOW_MS)
  expect(throttle.take('a', 1, 2 * WINDOW_MS)).toBe(0)
})

/** Bytes of the heap after a garbage collection. */
function usedHeapBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  return process.memoryUsage().heapUsed
}

test('a million keys take no more memory than the maximum number of keys', () => {
  const throttle = createThrottle(WINDOW_MS, 1_000)
  const before = usedHeapBytes()
  for (let key = 0; key < 1_000_000; key += 1) throttle.take(`key ${key}`, 1, 0)
  // A thousand windows take a third of a megabyte, and a million windows 300 megabytes.
  expect(usedHeapBytes() - before).toBeLessThan(5_000_000)
  // The latest key is still counted, and the first key is not.
  expect(throttle.take('key 999999', 1, 0)).toBe(WINDOW_MS)
  expect(throttle.take('key 0', 1, 0)).toBe(0)
})
