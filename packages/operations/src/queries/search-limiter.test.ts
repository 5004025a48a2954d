import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { createSearchLimiter } from './search-limiter.ts'

test('the largest entry so far determines the number of entries that are read at once', () => {
  const searches = createSearchLimiter()
  const together = (key: string) => searches.sizesOf(key).together()
  expect(together('a')).toBe(limits.queryRowsFirst)
  searches.sizesOf('a').note(2_000)
  expect(together('a')).toBe(limits.queryRowsTogether)
  searches.sizesOf('a').note(limits.queryStepChars / 4)
  searches.sizesOf('a').note(2_000)
  expect(together('a')).toBe(4)
  searches.sizesOf('a').note(limits.queryStepChars * 2)
  expect(together('a')).toBe(1)
  expect(together('b')).toBe(limits.queryRowsFirst)
})
