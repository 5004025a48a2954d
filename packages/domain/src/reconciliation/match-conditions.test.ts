import { DAY_MS, HOUR_MS } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import type { SettlementRow } from '../settlement/settlement-row.ts'
import { arn, AT_MS, dispute, exampleRow, id, payment, rules, verdictOf } from '../testing/match-examples.ts'
import type { Candidate, CandidateSearch } from './candidate.ts'
import { matchConditions, mismatchByHand } from './match-conditions.ts'

describe('the conditions', () => {
  /** An example of each condition: the row and the transaction have the same reference. */
  const examples: readonly (readonly [reason: string, row: Partial<SettlementRow>, candidate: Partial<Candidate>])[] = [
    ['noTransaction', {}, { clearingMerchantId: 'M-2' }],
    ['otherType', {}, { type: 'RF' }],
    ['outsideDates', {}, { createdAtMs: AT_MS - 31 * DAY_MS }],
    ['otherCurrency', { settlementAmountMinor: 9200, settlementCurrency: 'USD' }, { currency: 'CHF' }],
    ['amountDiffers', { amountMinor: 9201 }, {}],
    ['notReversed', { cashflow: 'NEG' }, { matchedKinds: ['SETTLED'] }],
    ['alreadyMatched', {}, { matchedKinds: ['SETTLED'] }],
  ]

  it('have an example each', () => {
    expect(examples.map(([reason]) => reason)).toEqual(matchConditions.map(({ reason }) => reason))
  })

  it.each(examples)('%s prevents a match, and without the condition the row is matched', (reason, row, candidate) => {
    const without = { ...rules, conditions: matchConditions.filter((condition) => condition.reason !== reason) }
    const search = { ...arn, ...row }
    const options = { find: ({ by }: CandidateSearch) => by === 'connectorTxId1' }
    expect(verdictOf(search, [{ ...arn, ...candidate }], options)).toBe(reason)
    const unchecked = { ...without, conditions: without.conditions.filter((each) => each.reason !== 'amountDiffers') }
    // An amount in another currency cannot be compared either.
    const table = reason === 'otherCurrency' ? unchecked : without
    expect(verdictOf(search, [{ ...arn, ...candidate }], { ...options, with: table })).toBe('a by acquirer reference')
  })

  it.each<[name: string, row: Partial<SettlementRow>, candidate: Partial<Candidate>, verdict: string]>([
    ['30 days later', { ...arn, presentedAtMs: AT_MS + 30 * DAY_MS }, {}, 'matched'],
    ['31 days later', { ...arn, presentedAtMs: AT_MS + 31 * DAY_MS }, {}, 'outsideDates'],
    ['3 days earlier', { ...arn, presentedAtMs: AT_MS - 3 * DAY_MS }, {}, 'matched'],
    ['4 days earlier', { ...arn, presentedAtMs: AT_MS - 4 * DAY_MS }, {}, 'outsideDates'],
    ['settled 30 days later', { ...arn, presentedAtMs: undefined, settledOn: '2026-12-20' }, {}, 'matched'],
    ['settled 31 days later', { ...arn, presentedAtMs: undefined, settledOn: '2026-12-21' }, {}, 'outsideDates'],
    ['a dispute 540 days later', { ...dispute, presentedAtMs: undefined, settledOn: '2028-05-13' }, {}, 'matched'],
    ['a dispute later', { ...dispute, presentedAtMs: undefined, settledOn: '2028-05-14' }, {}, 'outsideDates'],
    ['a dispute of a part', { ...dispute, amountMinor: 1 }, {}, 'matched'],
    ['a dispute of more', { ...dispute, amountMinor: 9201 }, {}, 'amountDiffers'],
    ['a reversal of a part', { ...dispute, kind: 'CHARGEBACK REVERSAL', amountMinor: 1 }, {}, 'matched'],
    ['a dispute of a settled payment', dispute, { matchedKinds: ['SETTLED'] }, 'matched'],
    ['a dispute of a disputed payment', dispute, { matchedKinds: ['CHARGEBACK'] }, 'alreadyMatched'],
    [
      'a failed settlement after the next attempt',
      { ...arn, status: 'FAILED' },
      { matchedKinds: ['SETTLED'] },
      'matched',
    ],
    ['a late reversal', { ...arn, cashflow: 'NEG' }, { isReversed: true, matchedKinds: ['SETTLED'] }, 'matched'],
    ['a late reversal before its settlement', { ...arn, cashflow: 'NEG' }, { isReversed: true }, 'matched'],
    ['a late reversal of less', { ...arn, cashflow: 'NEG', amountMinor: 9199 }, { isReversed: true }, 'amountDiffers'],
    ['a second late reversal', { ...arn, cashflow: 'NEG' }, reversedLate, 'alreadyMatched'],
    [
      'a settlement after its late reversal',
      arn,
      { ...reversedLate, matchedKinds: ['SETTLEMENT REVERSAL'] },
      'matched',
    ],
    ['the reversal of a refund', { ...arn, type: 'REFUND' }, { type: 'RF' }, 'notReversed'],
    ['a converted amount, exactly', { ...arn, ...usd(10_120), fxRate: '1.10' }, {}, 'matched'],
    ['a converted amount, 0.5 % more', { ...arn, ...usd(10_170), fxRate: '1.10' }, {}, 'matched'],
    ['a converted amount, more than 0.5 % more', { ...arn, ...usd(10_171), fxRate: '1.10' }, {}, 'amountDiffers'],
    ['a converted amount, more than 0.5 % less', { ...arn, ...usd(10_069), fxRate: '1.10' }, {}, 'amountDiffers'],
    ['a small amount, one cent more', { ...arn, ...usd(12), fxRate: '1.10' }, { amountMinor: 10 }, 'matched'],
    ['a small amount, two cents more', { ...arn, ...usd(13), fxRate: '1.10' }, { amountMinor: 10 }, 'amountDiffers'],
    ['a dispute of a converted part', { ...dispute, ...usd(1), fxRate: '1.10' }, {}, 'matched'],
    ['a dispute of a converted amount and more', { ...dispute, ...usd(10_171), fxRate: '1.10' }, {}, 'amountDiffers'],
    ['a converted amount without a rate', { ...arn, ...usd(10_120) }, {}, 'otherCurrency'],
    ['a converted amount with a wrong rate', { ...arn, ...usd(10_120), fxRate: '-1.1' }, {}, 'amountDiffers'],
    ['yen into euro', { ...arn, fxRate: '0.0062' }, { currency: 'JPY', amountMinor: 14_839 }, 'matched'],
  ])('%s', (_, row, candidate, verdict) => {
    const result = verdictOf(row, [{ ...arn, ...candidate }])
    expect(result === 'a by acquirer reference' ? 'matched' : result).toBe(verdict)
  })

  it('count days in the time zone of the institute', () => {
    // 2026-10-21 in UTC, and 22 October in Tokyo, 30 days before the row of 21 November there.
    const candidate = { ...arn, createdAtMs: Date.parse('2026-10-21T20:00:00Z') }
    const row = { ...arn, presentedAtMs: Date.parse('2026-11-20T20:00:00Z') + HOUR_MS }
    expect(verdictOf(row, [candidate])).toBe('a by acquirer reference')
    const lateRow = { ...arn, presentedAtMs: Date.parse('2026-11-21T10:00:00Z') }
    expect(verdictOf(lateRow, [candidate])).toBe('outsideDates')
    expect(verdictOf(lateRow, [candidate], { timeZone: 'Asia/Tokyo' })).toBe('a by acquirer reference')
  })

  it('of the first rule that finds a transaction give the reason', () => {
    const row = { ...arn, merchantTransactionId: 'order-1', amountMinor: 9201 }
    const candidates: Partial<Candidate>[] = [
      arn,
      { id: id('c'), merchantTransactionId: 'order-1', amountMinor: 9201, matchedKinds: ['SETTLED'] },
    ]
    expect(verdictOf(row, candidates)).toBe('amountDiffers')
  })
})

const reversedLate: Partial<Candidate> = { isReversed: true, matchedKinds: ['SETTLED', 'SETTLEMENT REVERSAL'] }

/** A row that states only the amount in dollars. */
function usd(amountMinor: number): Partial<SettlementRow> {
  return { amountMinor, currency: 'USD', settlementAmountMinor: amountMinor, settlementCurrency: 'USD' }
}

describe('a match by hand', () => {
  const row = { ...exampleRow, ...arn }
  const mismatch = (rowChanges: Partial<SettlementRow>, changes: Partial<Candidate> = {}, mayAmountDiffer = false) =>
    mismatchByHand({ row: { ...row, ...rowChanges }, timeZone: 'UTC' }, { ...payment, ...changes }, mayAmountDiffer)

  it('may be outside the dates, but not of another type or currency, or settled', () => {
    expect(mismatch({}, { createdAtMs: AT_MS - 300 * DAY_MS })).toBeUndefined()
    expect(mismatch({}, { type: 'RF' }, true)).toBe('otherType')
    expect(mismatch({ settlementCurrency: 'USD' }, { currency: 'CHF' }, true)).toBe('otherCurrency')
    expect(mismatch({}, { matchedKinds: ['SETTLED'] }, true)).toBe('alreadyMatched')
  })

  it('has another amount only if that is confirmed', () => {
    expect(mismatch({ amountMinor: 9201 })).toBe('amountDiffers')
    expect(mismatch({ amountMinor: 9201 }, {}, true)).toBeUndefined()
  })
})
