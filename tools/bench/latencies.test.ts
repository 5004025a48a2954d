import { expect, test } from 'vitest'
import { createLatencies } from './latencies.ts'

test('percentiles of latencies are rounded up to a tenth of a millisecond', () => {
  const latencies = createLatencies()
  for (let ms = 1; ms <= 100; ms += 1) latencies.add(ms - 0.55)
  expect(latencies.figures()).toEqual({ count: 100, p50Ms: 49.5, p99Ms: 98.5, maxMs: 99.45 })
})

test('without latencies percentiles and maximum are null; after a long latency the maximum is exact', () => {
  const latencies = createLatencies()
  expect(latencies.figures()).toEqual({ count: 0, p50Ms: null, p99Ms: null, maxMs: null })
  latencies.add(1e9)
  expect(latencies.figures()).toMatchObject({ count: 1, p99Ms: 20_000.1, maxMs: 1e9 })
})
