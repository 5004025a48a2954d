import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { createSearchLimiter } from './search-limiter.ts'

test('the largest entry so far determines the number of entries that are read at once', () => {
  const searches = createSearchLimiter()
  const batchSize = (key: string) => searches.sizesOf(key).batchSize()
  expect(batchSize('a')).toBe(limits.queryRowsPerFirstRead)
  searches.sizesOf('a').record(2_000)
  expect(batchSize('a')).toBe(limits.queryRowsPerRead)
  searches.sizesOf('a').record(limits.queryCharsPerRead / 4)
  searches.sizesOf('a').record(2_000)
  expect(batchSize('a')).toBe(4)
  searches.sizesOf('a').record(limits.queryCharsPerRead * 2)
  expect(batchSize('a')).toBe(1)
  expect(batchSize('b')).toBe(limits.queryRowsPerFirstRead)
})
