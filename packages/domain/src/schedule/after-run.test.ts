import { DAY_MS, HOUR_MS, type MerchantAdviceCode, merchantAdviceCodes, responseCodes } from '@tollgate/contract'
import { describe, expect, test } from 'vitest'
import { afterRun, type RunAttempt } from './after-run.ts'

const PLANNED = Date.UTC(2026, 4, 4)

const declined = (changes: Partial<RunAttempt> = {}): RunAttempt => ({
  code: '800.100.155',
  atMs: PLANNED + 5_000,
  firstAtMs: PLANNED,
  attempts: 1,
  nextRunAtMs: undefined,
  ...changes,
})

/** The decision as text: for a retry, the hours after the planned time. */
function outcome(changes: Partial<RunAttempt>): string {
  const decision = afterRun(declined(changes))
  if (decision.kind === 'retry') return `retry ${(decision.atMs - PLANNED) / HOUR_MS}`
  return decision.kind === 'stop' ? `stop ${decision.scope}` : decision.kind
}

test.each<[what: string, changes: Partial<RunAttempt>, expected: string]>([
  ['approved', { code: '000.000.000' }, 'next'],
  ['approved, to be reviewed', { code: '000.400.000' }, 'next'],
  ['pending', { code: '000.200.000' }, 'next'],
  ['uncertain: a retry could charge twice', { code: '900.100.300', acquirerResponse: '68' }, 'next'],
  ['timed out and reversed', { code: '900.100.301' }, 'retry 24'],
  ['declined', {}, 'retry 24'],
  ['declined again, a day later', { atMs: PLANNED + DAY_MS + 5, attempts: 2 }, 'retry 72'],
  ['declined again, three days later', { atMs: PLANNED + 3 * DAY_MS + 5, attempts: 3 }, 'retry 168'],
  ['declined again, a week later', { atMs: PLANNED + 7 * DAY_MS + 5, attempts: 4 }, 'next'],
  ['declined after the days are over', { atMs: PLANNED + 10 * DAY_MS, attempts: 2 }, 'next'],
  ['declined in a late attempt', { atMs: PLANNED + 4 * DAY_MS, attempts: 2 }, 'retry 168'],
  ['not enough funds', { acquirerResponse: '51' }, 'retry 24'],
  ['expired card, which may be replaced before the retry', { acquirerResponse: '54' }, 'retry 24'],
  ['the customer is required', { code: '300.100.100', acquirerResponse: '65', advice: '02' }, 'next'],
  ['the customer is required, by code and advice', { code: '300.100.100', advice: '01' }, 'next'],
  ['the customer is required, and retries are forbidden', { code: '300.100.100', advice: '03' }, 'stop plan'],
  ['stolen card', { acquirerResponse: '43' }, 'stop plan'],
  ['stolen card, though advised to retry', { acquirerResponse: '43', advice: '24' }, 'stop plan'],
  ['this plan revoked', { acquirerResponse: 'R0' }, 'stop plan'],
  ['all plans revoked', { acquirerResponse: 'R1' }, 'stop registration'],
  ['all authorisations revoked', { acquirerResponse: 'R3' }, 'stop registration'],
  ['no mandate', { acquirerResponse: 'MD01' }, 'stop plan'],
  ['not enough money in the bank', { acquirerResponse: 'AM04' }, 'retry 24'],
  ['a property name of JavaScript as response', { acquirerResponse: 'constructor', advice: 'toString' }, 'retry 24'],
  ['unknown advice', { advice: '99' }, 'retry 24'],
  ['sanctions', { advice: '42' }, 'stop plan'],
  ['prepaid card', { advice: '40' }, 'retry 24'],
  ['advised to wait, for the fourth time', { advice: '24', atMs: PLANNED, attempts: 4 }, 'retry 1'],
  ['advised to wait, for the fifth time', { advice: '24', attempts: 5 }, 'next'],
  ['until the 20th day', { advice: '30', atMs: PLANNED + 10.5 * DAY_MS, attempts: 2 }, 'retry 492'],
  ['beyond the 20th day', { advice: '29', atMs: PLANNED + 13 * DAY_MS, attempts: 2 }, 'next'],
  ['advised to wait for as long as the next run', { advice: '30', nextRunAtMs: PLANNED + 10 * DAY_MS }, 'next'],
  ['the next run is sooner', { nextRunAtMs: PLANNED + DAY_MS }, 'next'],
  ['the next run is later', { nextRunAtMs: PLANNED + DAY_MS + 1 }, 'retry 24'],
])('%s', (_, changes, expected) => {
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
  test.each(Object.keys(merchantAdviceCodes).map((code) => [code]))('%s', (advice) => {
    expect({ [advice]: outcome({ advice, atMs: PLANNED }) }).toEqual({
      [advice]: Object.entries(expected).find(([code]) => code === advice)?.[1],
    })
  })
})

test('exactly these responses stop a plan', () => {
  const stopping = Object.keys(responseCodes).filter((code) => outcome({ acquirerResponse: code }).startsWith('stop'))
  expect(stopping.toSorted().join(' ')).toBe('04 07 12 14 15 33 41 43 46 57 93 R0 R1 R3')
})

test('a stop has a reason', () => {
  expect(afterRun(declined({ advice: '01' }))).toMatchObject({ reason: expect.stringContaining('advice 01') })
  expect(afterRun(declined({ acquirerResponse: '43' }))).toMatchObject({ reason: expect.stringContaining('with 43') })
})
