import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { createDeclines } from './declines.ts'
import type { DeclineBounds, Declines } from '@tollgate/operations'
import { createRateCounters } from './rate-counter.ts'

const HOUR_MS = limits.declineWindowMs
const bounds: DeclineBounds = { card: 3, address: 5 }

function counting(isShared = false) {
  const clock = { nowMs: 0, now: () => clock.nowMs }
  const rateCounters = createRateCounters(clock, isShared)
  return { clock, rateCounters, declines: createDeclines(clock, rateCounters) }
}

/** Makes attempts one after the other. @returns for each the milliseconds to wait, 0 if it began */
const attempts = (declines: Declines, isDeclined: boolean, cards: readonly (string | undefined)[], address = 'here') =>
  cards.map((card) => {
    const begun = declines.begin({ channel: 'c', card, address }, bounds)
    if (begun.kind === 'refused') return begun.waitMs
    begun.end(isDeclined)
    return 0
  })

test('a card with too many declines is refused until the end of the hour, from any address', () => {
  const { declines, clock } = counting()
  expect(attempts(declines, true, ['a', 'a', 'a', 'a'])).toEqual([0, 0, 0, HOUR_MS])
  expect(attempts(declines, true, ['a'], 'elsewhere')).toEqual([HOUR_MS])
  expect(attempts(declines, true, ['b'])).toEqual([0])
  clock.nowMs = HOUR_MS
  expect(attempts(declines, true, ['a'])).toEqual([0])
})

test('an address with too many declines is refused, with any card', () => {
  const { declines } = counting()
  expect(attempts(declines, true, ['a', 'b', undefined, 'd', 'e', 'f'])).toEqual([0, 0, 0, 0, 0, HOUR_MS])
  expect(attempts(declines, true, ['f'], 'elsewhere')).toEqual([0])
})

test('approved payments do not count, and channels are counted separately', () => {
  const { declines } = counting()
  expect(attempts(declines, false, Array<string>(9).fill('a'))).toEqual(Array(9).fill(0))
  attempts(declines, true, ['a', 'a', 'a'])
  expect(declines.begin({ channel: 'other', card: 'a', address: 'here' }, bounds).kind).toBe('begun')
})

test('attempts in progress count for their card, and an attempt ends once', () => {
  const { declines } = counting()
  const begin = () => declines.begin({ channel: 'c', card: 'a', address: undefined }, bounds)
  const begun = [begin(), begin(), begin()]
  expect(begun.map(({ kind }) => kind)).toEqual(['begun', 'begun', 'begun'])
  expect(begin()).toEqual({ kind: 'refused', waitMs: limits.declineRetryMs })
  for (const one of begun) {
    if (one.kind === 'refused') continue
    one.end(false)
    one.end(true)
  }
  expect(attempts(declines, true, ['a', 'a', 'a', 'a'])).toEqual([0, 0, 0, HOUR_MS])
})

test('an infinite bound refuses nothing', () => {
  const { declines } = counting()
  const off = { card: Infinity, address: Infinity }
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const begun = declines.begin({ channel: 'c', card: 'a', address: 'here' }, off)
    expect(begun.kind).toBe('begun')
    if (begun.kind === 'begun') begun.end(true)
  }
})

test('processes share their counts', () => {
  const [one, other] = [counting(true), counting(true)]
  attempts(one.declines, true, ['a', 'a', 'a'])
  for (const message of one.rateCounters.messages()) other.rateCounters.count(message)
  expect(attempts(other.declines, true, ['a', 'b', 'c', 'd'])).toEqual([HOUR_MS, 0, 0, HOUR_MS])
})
