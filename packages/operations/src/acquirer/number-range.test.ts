import type { TerminalRow } from '@tollgate/storage'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LAST_NUMBER, numberAt, offsetOf, rangeOf, shareOf, storedRange } from './number-range.ts'

const DAY = 20_000
const rowWith = (next_trace: number): TerminalRow => ({
  id: 'acme/T1',
  held_by: null,
  held_until_ms: 0,
  day: DAY,
  next_trace,
})
const idsOf = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `T${index}`)

test.each([0, 333_333, LAST_NUMBER - 1])(
  'after offset %i the positions have every number from 1 to 999999',
  (offset) => {
    const numbers = new Set(Array.from({ length: LAST_NUMBER }, (_, index) => numberAt(offset, index + 1)))
    expect([numbers.size, numbers.has(1), numbers.has(LAST_NUMBER)]).toEqual([LAST_NUMBER, true, true])
  },
)

test.each([
  [0, 1, 1],
  [0, 999_999, 999_999],
  [333_333, 1, 333_334],
  [333_333, 666_666, 999_999],
  [333_333, 666_667, 1],
  [333_333, 999_999, 333_333],
])('after offset %i position %i is number %i', (offset, position, number) => {
  expect(numberAt(offset, position)).toBe(number)
})

test('a range is stored and read as it was, also when all its numbers are reserved', () => {
  fc.assert(
    fc.property(fc.nat(LAST_NUMBER - 1), fc.integer({ min: 1, max: LAST_NUMBER + 1 }), (offset, position) => {
      const range = { offset, position }
      expect(rangeOf(rowWith(storedRange(range)), DAY, 7)).toEqual(range)
      expect(rangeOf(rowWith(storedRange(range)), DAY - 400, 7)).toEqual(range)
      expect(rangeOf(rowWith(storedRange(range)), DAY + 1, 7)).toEqual({ offset: 7, position: 1 })
    }),
  )
})

test('the numbers that the ids of an account draw up to their share differ, for any number of ids', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), (count) => {
      const ids = idsOf(count)
      const share = shareOf(ids)
      const offsets = [...ids, 'an id of another day'].map((id) => offsetOf(ids, id))
      const shares = offsets.map((offset) => [numberAt(offset, 1), numberAt(offset, share)] as const)
      for (const [index, [first, last]] of shares.entries()) {
        expect(last - first).toBe(share - 1)
        expect(first).toBeGreaterThan(shares[index - 1]?.[1] ?? 0)
      }
    }),
  )
})
