import { expect, test } from 'vitest'
import { retentionEndsAtMs } from './retention.ts'

const atMs = Date.UTC(2026, 4, 4, 3, 2, 1)
const account = (expiryMonth: string | null, expiryYear: string | null) => ({ atMs, expiryMonth, expiryYear })

test.each([
  ['a card of 05/2026', account('05', '2026'), undefined, Date.UTC(2027, 7, 1)],
  ['a card of 11/2026', account('11', '2026'), undefined, Date.UTC(2028, 1, 1)],
  ['a card of 12/2034', account('12', '2034'), undefined, Date.UTC(2036, 2, 1)],
  ['an account that does not expire', account(null, null), undefined, Date.UTC(2027, 6, 4, 3, 2, 1)],
  ['a card, for 30 days', account('12', '2034'), 30, Date.UTC(2026, 5, 3, 3, 2, 1)],
  ['an account that does not expire, for a day', account(null, null), 1, Date.UTC(2026, 4, 5, 3, 2, 1)],
])('the number of %s', (_, kept, retentionDays, endsAtMs) => {
  expect(new Date(retentionEndsAtMs(kept, retentionDays)).toISOString()).toBe(new Date(endsAtMs).toISOString())
})

test('a month that has no such day ends with the next', () => {
  const kept = { atMs: Date.UTC(2026, 11, 31), expiryMonth: null, expiryYear: null }
  expect(retentionEndsAtMs(kept)).toBe(Date.UTC(2028, 2, 2))
})
