import { DAY_MS, HOUR_MS, type MerchantAdviceCode, merchantAdviceCodes, responseCodes } from '@tollgate/contract'
import { describe, expect, test } from 'vitest'
import { decideAfterRun, type RunAttempt } from './decide-after-run.ts'

const PLANNED_AT_MS = Date.UTC(2026, 4, 4)

const declined = (changes: Partial<RunAttempt> = {}): RunAttempt => ({
  code: '800.100.155',
  atMs: PLANNED_AT_MS + 5_000,
  firstAtMs: PLANNED_AT_MS,
  attempts: 1,
  retriesEndAtMs: undefined,
  ...changes,
})

/** The decision as text: for a retry, the hours after the planned time. */
function outcome(changes: Partial<RunAttempt>): string {
  const decision = decideAfterRun(declined(changes))
  if (decision.kind === 'retry') return `retry ${(decision.atMs - PLANNED_AT_MS) / HOUR_MS}`
  return decision.kind === 'stop' ? `stop ${decision.scope}` : decision.kind
}

test.each<[name: string, expected: string, changes: Partial<RunAttempt>]>([
  ['an approved attempt', 'next', { code: '000.000.000' }],
  ['an attempt approved for review', 'next', { code: '000.400.000' }],
  ['a pending attempt', 'next', { code: '000.200.000' }],
  ['an uncertain attempt, whose retry could charge twice,', 'next', { code: '900.100.300', acquirerResponse: '68' }],
  ['an attempt that timed out and was reversed', 'retry 24', { code: '900.100.301' }],
  ['a decline', 'retry 24', {}],
  ['a second decline, a day later,', 'retry 72', { atMs: PLANNED_AT_MS + DAY_MS + 5, attempts: 2 }],
  ['a third decline, three days later,', 'retry 168', { atMs: PLANNED_AT_MS + 3 * DAY_MS + 5, attempts: 3 }],
  ['a fourth decline, a week later,', 'next', { atMs: PLANNED_AT_MS + 7 * DAY_MS + 5, attempts: 4 }],
  ['a decline after the last retry day', 'next', { atMs: PLANNED_AT_MS + 10 * DAY_MS, attempts: 2 }],
  ['a decline of a late attempt', 'retry 168', { atMs: PLANNED_AT_MS + 4 * DAY_MS, attempts: 2 }],
  ['insufficient funds', 'retry 24', { acquirerResponse: '51' }],
  ['an expired card, which may be replaced before the retry,', 'retry 24', { acquirerResponse: '54' }],
  ['a decline that requires the customer', 'next', { code: '300.100.100', acquirerResponse: '65', advice: '02' }],
  ['a decline that requires the customer, by code and advice,', 'next', { code: '300.100.100', advice: '01' }],
  ['a decline that requires the customer and forbids retries', 'stop plan', { code: '300.100.100', advice: '03' }],
  ['a stolen card', 'stop plan', { acquirerResponse: '43' }],
  ['a stolen card, despite advice to retry,', 'stop plan', { acquirerResponse: '43', advice: '24' }],
  ['a revocation of this plan', 'stop plan', { acquirerResponse: 'R0' }],
  ['a revocation of all plans', 'stop registration', { acquirerResponse: 'R1' }],
  ['a revocation of all authorisations', 'stop registration', { acquirerResponse: 'R3' }],
  ['a missing mandate', 'stop plan', { acquirerResponse: 'MD01' }],
  ['insufficient funds in the bank account', 'retry 24', { acquirerResponse: 'AM04' }],
  ['a property name of JavaScript as response', 'retry 24', { acquirerResponse: 'constructor', advice: 'toString' }],
  ['an unknown advice', 'retry 24', { advice: '99' }],
  ['a sanctions match', 'stop plan', { advice: '42' }],
  ['a prepaid card', 'retry 24', { advice: '40' }],
  ['advice to wait, after the fourth attempt,', 'retry 1', { advice: '24', atMs: PLANNED_AT_MS, attempts: 4 }],
  ['advice to wait, after the fifth attempt,', 'next', { advice: '24', attempts: 5 }],
  [
    'advice to wait until the 20th day',
    'retry 492',
    { advice: '30', atMs: PLANNED_AT_MS + 10.5 * DAY_MS, attempts: 2 },
  ],
  ['advice to wait beyond the 20th day', 'next', { advice: '29', atMs: PLANNED_AT_MS + 13 * DAY_MS, attempts: 2 }],
  [
    'advice to wait until the time of the next run',
    'next',
    { advice: '30', retriesEndAtMs: PLANNED_AT_MS + 10 * DAY_MS },
  ],
  ['a next run at the time of the retry', 'next', { retriesEndAtMs: PLANNED_AT_MS + DAY_MS }],
  ['a next run after the retry', 'retry 24', { retriesEndAtMs: PLANNED_AT_MS + DAY_MS + 1 }],
])('%s leads to %s', (_name, expected, changes) => {
  expect(outcome(changes)).toBe(expected)
})

describe('each merchant advice', () => {
  const expected: Readonly<Record<MerchantAdviceCode, string>> = {
    '01': 'stop plan',
    '02': 'retry 72',
    '03': 'stop plan',
    '04': 'retry 24',
    '21': 'stop plan',
    '22': 'stop plan',
    '24': 'retry 1',
    '25': 'retry 24',
    '26': 'retry 48',
    '27': 'retry 96',
    '28': 'retry 144',
    '29': 'retry 192',
    '30': 'retry 240',
    '40': 'retry 24',
    '41': 'retry 24',
    '42': 'stop plan',
    '43': 'retry 24',
  }
  test.each(Object.keys(merchantAdviceCodes).map((code) => [code]))('with the code %s has its effect', (advice) => {
    expect({ [advice]: outcome({ advice, atMs: PLANNED_AT_MS }) }).toEqual({
      [advice]: Object.entries(expected).find(([code]) => code === advice)?.[1],
    })
  })
})

test('of the response codes, only those of permanent declines stop a plan', () => {
  const stopping = Object.keys(responseCodes).filter((code) => outcome({ acquirerResponse: code }).startsWith('stop'))
  expect(stopping.toSorted().join(' ')).toBe('04 07 12 14 15 33 41 43 46 57 93 R0 R1 R3')
})

test.each([
  ['R1', 'the customer revoked all recurring payments'],
  ['R3', 'the customer revoked all authorisations'],
])('the reason for which all plans stop after the response %s names the revocation', (acquirerResponse, reason) => {
  expect(decideAfterRun(declined({ acquirerResponse }))).toMatchObject({ reason })
})

test('the reason for which one plan stops names the merchant advice or the acquirer’s response', () => {
  expect(decideAfterRun(declined({ advice: '01' }))).toMatchObject({ reason: expect.stringContaining('advice 01') })
  expect(decideAfterRun(declined({ acquirerResponse: '43' }))).toMatchObject({
    reason: expect.stringContaining('with 43'),
  })
})
