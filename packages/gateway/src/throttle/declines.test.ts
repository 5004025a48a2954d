import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { createDeclines } from './declines.ts'
import type { DeclineBounds, Declines } from '@tollgate/operations'
import { createRateCounters } from './rate-counters.ts'

const WINDOW_MS = limits.declineWindowMs
const bounds: DeclineBounds = { card: 3, address: 5 }

function createProcess(isShared = false) {
  const clock = { nowMs: 0, now: () => clock.nowMs }
  const rateCounters = createRateCounters(clock, isShared)
  return { clock, rateCounters, declines: createDeclines(clock, rateCounters) }
}

/** Makes attempts one after another. @returns the milliseconds to wait for each, 0 if it began */
const attempt = (declines: Declines, isDeclined: boolean, cards: readonly (string | undefined)[], address = 'here') =>
  cards.map((card) => {
    const begun = declines.begin({ channel: 'c', card, address }, bounds)
    if (begun.kind === 'refused') return begun.waitMs
    begun.end(isDeclined)
    return 0
  })

test('a card with too many declines is refused until the end of the window, from any address', () => {
  const { declines, clock } = createProcess()
  expect(attempt(declines, true, ['a', 'a', 'a', 'a'])).toEqual([0, 0, 0, WINDOW_MS])
  expect(attempt(declines, true, ['a'], 'elsewhere')).toEqual([WINDOW_MS])
  expect(attempt(declines, true, ['b'])).toEqual([0])
  clock.nowMs = WINDOW_MS
  expect(attempt(declines, true, ['a'])).toEqual([0])
})

test('an address with too many declines is refused, with any card', () => {
  const { declines } = createProcess()
  expect(attempt(declines, true, ['a', 'b', undefined, 'd', 'e', 'f'])).toEqual([0, 0, 0, 0, 0, WINDOW_MS])
  expect(attempt(declines, true, ['f'], 'elsewhere')).toEqual([0])
})

test('approved payments do not count, and channels are counted separately', () => {
  const { declines } = createProcess()
  expect(attempt(declines, false, Array<string>(9).fill('a'))).toEqual(Array(9).fill(0))
  attempt(declines, true, ['a', 'a', 'a'])
  expect(declines.begin({ channel: 'other', card: 'a', address: 'here' }, bounds).kind).toBe('begun')
})

test('attempts in progress count as declines of their card, and an attempt ends once', () => {
  const { declines } = createProcess()
  const begin = () => declines.begin({ channel: 'c', card: 'a', address: undefined }, bounds)
  const begun = [begin(), begin(), begin()]
  expect(begun.map(({ kind }) => kind)).toEqual(['begun', 'begun', 'begun'])
  expect(begin()).toEqual({ kind: 'refused', waitMs: limits.declineRetryMs })
  for (const started of begun) {
    if (started.kind === 'refused') continue
    started.end(false)
    started.end(true)
  }
  expect(attempt(declines, true, ['a', 'a', 'a', 'a'])).toEqual([0, 0, 0, WINDOW_MS])
})

test('an infinite bound refuses nothing', () => {
  const { declines } = createProcess()
  const unbounded = { card: Infinity, address: Infinity }
  for (let count = 0; count < 100; count += 1) {
    const begun = declines.begin({ channel: 'c', card: 'a', address: 'here' }, unbounded)
    expect(begun.kind).toBe('begun')
    if (begun.kind === 'begun') begun.end(true)
  }
})

test('processes share their counts', () => {
  const [one, other] = [createProcess(true), createProcess(true)]
  attempt(one.declines, true, ['a', 'a', 'a'])
  for (const message of one.rateCounters.messages()) other.rateCounters.count(message)
  expect(attempt(other.declines, true, ['a', 'b', 'c', 'd'])).toEqual([WINDOW_MS, 0, 0, WINDOW_MS])
})
