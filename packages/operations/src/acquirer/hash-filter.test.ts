import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createHashFilter } from './hash-filter.ts'

const hashOf = (value: string): string => createHash('sha256').update(value).digest('hex')

test('a filter contains each hash that was added, and few others', () => {
  const filter = createHashFilter(2 ** 17)
  const added = Array.from({ length: 10_000 }, (_, index) => hashOf(`added ${index}`))
  const others = Array.from({ length: 10_000 }, (_, index) => hashOf(`other ${index}`))
  expect(added.some((hash) => filter.mayContain(hash))).toBe(false)
  for (const hash of added) filter.add(hash)
  expect(added.every((hash) => filter.mayContain(hash))).toBe(true)
  // (1 - e^(-4 * 10,000 / 131,072)) ** 4 is 0.5 %.
  expect(others.filter((hash) => filter.mayContain(hash)).length).toBeLessThan(100)
})
