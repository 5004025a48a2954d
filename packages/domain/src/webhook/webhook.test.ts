import { DAY_MS, MINUTE_MS } from '@tollgate/contract'
import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import {
  type Breaker,
  breakerAfterFailure,
  breakerAfterSuccess,
  breakerAllows,
  closedBreaker,
  concurrentDeliveries,
} from './breaker.ts'
import { withoutCustomerData } from './customer-data.ts'
import { retryAtMs } from './retry.ts'
import { deliveryVerdictOf } from './verdict.ts'

describe('a delivery that failed', () => {
  test('is retried after 1, 2, 4, 8, 15, 30 minutes, an hour, then daily, up to 30 days', () => {
    const waits = Array.from({ length: 36 }, (_, index) => (retryAtMs(index + 1, 5, 0.5, undefined) ?? 0) - 5)
    const early = [1, 2, 4, 8, 15, 30, 60].map((minutes) => minutes * MINUTE_MS)
    expect(waits).toEqual([...early, ...Array.from({ length: 29 }, () => DAY_MS)])
    const sum = waits.reduce((total, wait) => total + wait, 0)
    expect([sum < 30 * DAY_MS, sum + DAY_MS > 30 * DAY_MS]).toEqual([true, true])
    expect(retryAtMs(37, 0, 0.5, undefined)).toBeUndefined()
    expect(retryAtMs(37, 0, 0.5, 1_000)).toBeUndefined()
  })

  test.each([
    { random: 0, waitMs: 54_000 },
    { random: 0.25, waitMs: 57_000 },
    { random: 1, waitMs: 66_000 },
  ])('with the random number $random is retried after $waitMs ms instead of a minute', ({ random, waitMs }) => {
    expect(retryAtMs(1, 0, random, undefined)).toBe(waitMs)
  })

  test.each([
    { retryAfterMs: 10, waitMs: MINUTE_MS },
    { retryAfterMs: 90_000, waitMs: 90_000 },
    { retryAfterMs: 7 * DAY_MS, waitMs: DAY_MS },
  ])('with a Retry-After of $retryAfterMs ms is retried after $waitMs ms', ({ retryAfterMs, waitMs }) => {
    expect(retryAtMs(1, 0, 0.5, retryAfterMs)).toBe(waitMs)
  })
})

test.each([
  { status: 200, verdict: 'delivered' },
  { status: 204, verdict: 'delivered' },
  { status: 299, verdict: 'delivered' },
  { status: 199, verdict: 'failed' },
  { status: 302, verdict: 'failed' },
  { status: 307, verdict: 'failed' },
  { status: 400, verdict: 'failed' },
  { status: 404, verdict: 'failed' },
  { status: 410, verdict: 'gone' },
  { status: 429, verdict: 'failed' },
  { status: 503, verdict: 'failed' },
])('an answer of $status means $verdict', ({ status, verdict }) => {
  expect(deliveryVerdictOf(status)).toBe(verdict)
})

describe('an endpoint', () => {
  test('has a limit of concurrent deliveries that grows with each success, within bounds', () => {
    const afterSuccesses = (successes: number, from = closedBreaker) => {
      let breaker = from
      for (let count = 0; count < successes; count += 1) breaker = breakerAfterSuccess(breaker)
      return breaker
    }
    expect([0, 1, 55, 56, 57, 1_000].map((successes) => concurrentDeliveries(afterSuccesses(successes), 0))).toEqual([
      8, 9, 63, 64, 64, 64,
    ])
    const failedOnce = breakerAfterFailure(afterSuccesses(1_000), 0, undefined)
    expect([failedOnce, afterSuccesses(2, failedOnce)].map((breaker) => concurrentDeliveries(breaker, 0))).toEqual([
      8, 10,
    ])
    const open: Breaker = { kind: 'open', untilMs: 5, doublings: 1 }
    expect([concurrentDeliveries(open, 4), concurrentDeliveries(open, 5)]).toEqual([0, 1])
    expect(breakerAfterSuccess(open)).toEqual(closedBreaker)
  })

  const afterFailures = (times: number, from: Breaker = closedBreaker, nowMs = 0) => {
    let breaker = from
    for (let count = 0; count < times; count += 1) breaker = breakerAfterFailure(breaker, nowMs, undefined)
    return breaker
  }

  test('is paused after consecutive failures, then probed by one delivery', () => {
    expect(breakerAllows(afterFailures(limits.breakerFailures - 1), 0)).toBe('all')
    const open = afterFailures(limits.breakerFailures)
    expect([0, 29_999, 30_000].map((nowMs) => breakerAllows(open, nowMs))).toEqual(['none', 'none', 'one'])
  })

  test('is not paused for longer after failures of deliveries that were in flight when it was paused', () => {
    const open = afterFailures(limits.breakerFailures)
    expect(afterFailures(20, open, 29_999)).toEqual(open)
  })

  test('is paused for longer after each failed probe, up to ten minutes', () => {
    let breaker = afterFailures(limits.breakerFailures)
    const pauses: number[] = []
    for (let nowMs = 0; pauses.length < 8; ) {
      if (breaker.kind === 'closed') throw new Error('the breaker is closed')
      pauses.push(breaker.untilMs - nowMs)
      nowMs = breaker.untilMs
      breaker = breakerAfterFailure(breaker, nowMs, undefined)
    }
    expect(pauses.map((ms) => ms / 1_000)).toEqual([30, 60, 120, 240, 480, 600, 600, 600])
  })

  test('with Retry-After is paused at once, for ten minutes at most', () => {
    expect(breakerAllows(breakerAfterFailure(closedBreaker, 0, 5_000), 4_999)).toBe('none')
    expect(breakerAllows(breakerAfterFailure(closedBreaker, 0, 5_000), 5_000)).toBe('one')
    expect(breakerAfterFailure(closedBreaker, 0, DAY_MS)).toMatchObject({ untilMs: 600_000 })
  })
})

test('the field filter keeps merchant.data, even with the keys __proto__ and constructor', () => {
  const answer = '{"merchant":{"data":{"__proto__":"1","constructor":"2"}},"amount":"92.00"}'
  expect(JSON.stringify(withoutCustomerData(JSON.parse(answer)))).toBe(answer)
})

test('the field filter removes the personal data of an answer', () => {
  const answer = {
    id: '8ac',
    amount: '92.00',
    customer: { givenName: 'Jane' },
    billing: { city: 'Ulm' },
    card: { bin: '420000', last4Digits: '0000', holder: 'Jane Jones' },
    cart: {
      items: [
        { name: 'tea', recipient: { firstName: 'Jane' }, giftMessage: 'to Jane' },
        { name: 'cup', shippingInstructions: 'ask Jane' },
      ],
    },
    giftCard: { type: '1', message: 'to Jane' },
    airline: { agentCode: '1', passengers: [{ name: 'Jane' }] },
    risk: { score: '5', parameters: { email: 'jane@jones.example' } },
    customParameters: { note: 'for Jane' },
    result: { code: '000.000.000' },
  }
  expect(withoutCustomerData(answer)).toEqual({
    id: '8ac',
    amount: '92.00',
    card: { bin: '420000', last4Digits: '0000' },
    cart: { items: [{ name: 'tea' }, { name: 'cup' }] },
    giftCard: { type: '1' },
    airline: { agentCode: '1' },
    risk: { score: '5' },
    result: { code: '000.000.000' },
  })
})
