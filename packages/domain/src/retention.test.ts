import { expect, test } from 'vitest'
import { mayEraseNumber, retentionEndsAtMs } from './retention.ts'

const usedAtMs = Date.UTC(2026, 4, 4, 3, 2, 1)
const cardExpiresAtMs = Date.UTC(2034, 5, 1, 12)

test.each([
  ['a card', cardExpiresAtMs, undefined, Date.UTC(2035, 7, 1, 12)],
  ['an account that does not expire', null, undefined, Date.UTC(2027, 6, 4, 3, 2, 1)],
  ['a card with a retention of 30 days', cardExpiresAtMs, 30, Date.UTC(2026, 5, 3, 3, 2, 1)],
  ['an account that does not expire, with a retention of a day', null, 1, Date.UTC(2026, 4, 5, 3, 2, 1)],
])('the number of %s is erased after its retention', (_name, accountExpiresAtMs, retentionDays, endsAtMs) => {
  const erasedAtMs = retentionEndsAtMs({ accountExpiresAtMs, usedAtMs }, retentionDays)
  expect(new Date(erasedAtMs).toISOString()).toBe(new Date(endsAtMs).toISOString())
})

test.each([
  ['before the end of its retention', 1, false, false],
  ['at the end', 0, false, true],
  ['after the end', -1, false, true],
  ['after the end, while a message to the acquirer is open', -1, true, false],
])('a number may be erased or not %s', (_name, remainingMs, hasOpenMessage, may) => {
  expect(mayEraseNumber({ endsAtMs: usedAtMs + remainingMs, hasOpenMessage }, usedAtMs)).toBe(may)
})
