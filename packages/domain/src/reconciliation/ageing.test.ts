import { expect, test } from 'vitest'
import { ageingBucketOf, isBreak } from './ageing.ts'

test.each([
  // A file can be settled in a zone where the next day has begun.
  ['2026-11-02', '0-5', false],
  ['2026-11-01', '0-5', false],
  ['2026-10-27', '0-5', false],
  ['2026-10-26', '6-10', true],
  ['2026-10-22', '6-10', true],
  ['2026-10-21', '11-30', true],
  ['2026-10-02', '11-30', true],
  ['2026-10-01', '31-60', true],
  ['2026-09-02', '31-60', true],
  ['2026-09-01', '>60', true],
  ['2020-01-01', '>60', true],
])('a row of %s is on 2026-11-01 in the bucket %s, reported: %s', (settledOn, name, reported) => {
  expect(ageingBucketOf(settledOn, '2026-11-01').name).toBe(name)
  expect(isBreak(settledOn, '2026-11-01')).toBe(reported)
})
