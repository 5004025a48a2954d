import { DAY_MS, HOUR_MS } from '@tollgate/contract'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { limits } from '../limits.ts'
import type { SettlementRow } from '../settlement/settlement-row.ts'
import {
  arn,
  AT_MS,
  completeLedger,
  dispute,
  id,
  payment,
  rules,
  exampleRow,
  verdictOf,
  verdictsOf,
} from '../testing/match-examples.ts'
import type { Candidate } from './candidate.ts'
import { matchRows } from './match.ts'
import { matchLadder } from './match-ladder.ts'
import { tieBreaks } from './match-tie-breaks.ts'
import { matchedKindOf } from './record-type.ts'

describe('a row that fits several transactions', () => {
  const another = { ...arn, id: id('c') }

  it('has all of them, sorted, if no rule selects one', () => {
    expect(verdictOf(arn, [another, arn])).toBe('a c')
    expect(verdictOf({ ...arn, presentedAtMs: undefined }, [another, { ...arn, createdAtMs: AT_MS - DAY_MS }])).toBe(
      'a c',
    )
  })

  it('has one of them once, even if it is found twice', () => {
    expect(verdictOf(arn, [arn, arn])).toBe('a by acquirer reference')
  })

  it('has at most 100 of them', () => {
    const many = Array.from({ length: 150 }, (_, index) => ({ ...arn, id: id(String(index)) }))
    const [verdict] = verdictsOf(
      [{ ...exampleRow, ...arn }],
      many.map((candidate) => ({ ...payment, ...candidate })),
    )
    expect(verdict).toMatchObject({ status: 'MULTIPLE_MATCHES' })
    expect(verdict?.status === 'MULTIPLE_MATCHES' && verdict.ids).toHaveLength(100)
  })

  /** An example of each rule: it selects the transaction c. */
  const examples: readonly (readonly [name: string, row: Partial<SettlementRow>, c: Partial<Candidate>])[] = [
    ['same terminal', { terminalId: '007' }, { terminalId: '7' }],
    ['exact amount', { kind: 'CHARGEBACK', amountMinor: 5000 }, { amountMinor: 5000 }],
    ['nearest time', { presentedAtMs: AT_MS + 61_000 }, { createdAtMs: AT_MS + 61_000 }],
  ]

  it('is decided by rules that have an example each', () => {
    expect(examples.map(([name]) => name)).toEqual(tieBreaks.map(({ name }) => name))
  })

  it.each(examples)('%s selects one, and without the rule there are several', (name, row, candidate) => {
    const without = { ...rules, tieBreaks: tieBreaks.filter((tieBreak) => tieBreak.name !== name) }
    const candidates = [arn, { ...another, ...candidate }]
    expect(verdictOf({ ...arn, ...row }, candidates)).toBe('c by acquirer reference')
    expect(verdictOf({ ...arn, ...row }, candidates, { with: without })).toBe('a c')
  })

  it('has both if one is not more than 60 seconds nearer', () => {
    const row = { ...arn, presentedAtMs: AT_MS + 60_000 }
    expect(verdictOf(row, [arn, { ...another, createdAtMs: AT_MS + 60_000 }])).toBe('a c')
  })

  it('is decided by the terminal before the amount, and by the amount before the time', () => {
    const row: Partial<SettlementRow> = { ...dispute, amountMinor: 5000, terminalId: '7' }
    const exact = { ...arn, amountMinor: 5000, createdAtMs: AT_MS - DAY_MS }
    expect(verdictOf(row, [exact, { ...another, terminalId: '7' }])).toBe('c by acquirer reference')
    expect(verdictOf(row, [exact, another])).toBe('a by acquirer reference')
  })
})

describe('the weak rule', () => {
  const account = { last4: '1111' }

  it('does not decide between several transactions', () => {
    const distant = { ...account, id: id('c'), createdAtMs: AT_MS - 20 * HOUR_MS }
    expect(verdictOf(account, [account, distant])).toBe('ambiguous')
  })

  it('does not replace a transaction whose reference the row has', () => {
    const bought: Partial<Candidate> = { ...account, ...arn, matchedKinds: ['SETTLED'] }
    const boughtAgain = { ...account, id: id('c') }
    expect(verdictOf({ ...account, ...arn }, [bought, boughtAgain])).toBe('alreadyMatched')
    expect(verdictOf({ ...account, ...arn }, [{ ...bought, connectorTxId1: 'ARN2' }, boughtAgain])).toBe(
      'c by account and day',
    )
  })
})

describe('the weak rule, while the ledger lacks transactions of the days of the row', () => {
  const account = { last4: '1111' }
  const presented = Date.parse('2026-11-20T00:00:00Z')
  /** A file that arrives in the morning of the next day, and one that arrives days later. */
  const [nextMorning, later] = [presented + 30 * HOUR_MS, presented + 5 * DAY_MS]

  it('is not tried, and without this condition takes a transaction that may be the wrong one', () => {
    const progress = { completeToMs: AT_MS, receivedAtMs: nextMorning }
    const without = { ...rules, ladder: matchLadder.map((step) => ({ ...step, isWeak: false })) }
    expect(verdictOf(account, [account], { progress })).toBe('ledgerIncomplete')
    expect(verdictOf(account, [account], { progress, with: without })).toBe('a by account and day')
  })

  it.each<[file: string, receivedAtMs: number, behindMs: number, verdict: string]>([
    ['the transactions up to half an hour before the file', nextMorning, limits.settledAfterMs, 'a by account and day'],
    ['no longer those', nextMorning, limits.settledAfterMs + 1, 'ledgerIncomplete'],
    ['the day after the row', later, later - presented - 2 * DAY_MS, 'a by account and day'],
    ['not all of the day after the row', later, later - presented - 2 * DAY_MS + 1, 'ledgerIncomplete'],
  ])('needs %s', (_, receivedAtMs, behindMs, verdict) => {
    const progress = { receivedAtMs, completeToMs: receivedAtMs - behindMs }
    expect(verdictOf(account, [account], { progress })).toBe(verdict)
  })

  it('leaves the reason of a stronger rule, and the match by one', () => {
    const progress = { completeToMs: 0, receivedAtMs: nextMorning }
    const conflict = { ...account, ...arn, amountMinor: 1 }
    expect(verdictOf({ ...account, ...arn }, [conflict], { progress })).toBe('amountDiffers')
    expect(verdictOf({ ...account, ...arn }, [arn], { progress })).toBe('a by acquirer reference')
    expect(verdictOf({ ...account, ...arn }, [], { progress })).toBe('ledgerIncomplete')
    expect(verdictOf(arn, [], { progress })).toBe('noTransaction')
  })
})

describe('several rows', () => {
  const row = { ...exampleRow, ...arn }

  test('of one kind are not matched to the same transaction', () => {
    const verdicts = verdictsOf([row, row], [{ ...payment, ...arn }])
    expect(verdicts).toEqual([
      { status: 'MATCHED', id: id('a'), step: 'acquirer reference' },
      { status: 'NOT_MATCHED', reason: 'alreadyMatched' },
    ])
  })

  test('of different kinds are', () => {
    const verdicts = verdictsOf([row, { ...row, ...dispute }], [{ ...payment, ...arn }])
    expect(verdicts.map(({ status }) => status)).toEqual(['MATCHED', 'MATCHED'])
  })

  test('that settle a transaction and take the settlement back are both matched to it, in any order', () => {
    const rows = [row, { ...row, cashflow: 'NEG' as const }]
    const reversed = { ...payment, ...arn, isReversed: true }
    for (const inOrder of [rows, rows.toReversed()])
      expect(verdictsOf(inOrder, [reversed]).map(({ status }) => status)).toEqual(['MATCHED', 'MATCHED'])
  })

  test('a failed settlement leaves the transaction to the next attempt', () => {
    const verdicts = verdictsOf([{ ...row, status: 'FAILED' }, row], [{ ...payment, ...arn }])
    expect(verdicts.map(({ status }) => status)).toEqual(['MATCHED', 'MATCHED'])
  })

  test('a row with a stronger reference has precedence over an earlier row', () => {
    const weak = { ...exampleRow, last4: '1111' }
    const verdicts = verdictsOf([weak, row], [{ ...payment, ...arn, last4: '1111' }])
    expect(verdicts.map(({ status }) => status)).toEqual(['NOT_MATCHED', 'MATCHED'])
  })
})

/** Any of a few values, or none, so that rows and transactions often agree. */
const some = <Value>(...values: readonly Value[]): fc.Arbitrary<Value | undefined> =>
  fc.constantFrom(undefined, ...values)
const retrievalReferences = some('1', '01', '2')
const references = {
  connectorTxId1: some('ARN1', '00ARN1', 'ARN2'),
  approvalCode: some('A', 'B'),
  networkTransactionId: some('N1', 'N2'),
  clearingSequence: some(1, 2),
  merchantTransactionId: some('order-1', 'order-2'),
  shortId: some('0001.0002.0003'),
  last4: some('1111', '2222'),
  bin: some('411111', '41111122'),
  terminalId: some('7', '007', '8'),
  currency: fc.constantFrom('EUR', 'USD'),
  clearingMerchantId: fc.constantFrom('M-1', 'M-2'),
  amountMinor: fc.constantFrom(9200, 5000),
}
const anyCandidate = (index: number): fc.Arbitrary<Candidate> =>
  fc.record({
    ...references,
    retrievalReference: retrievalReferences,
    id: fc.constant(id(index.toString(16))),
    rootId: fc.constantFrom(id(index.toString(16)), id('f')),
    type: fc.constantFrom('PA', 'DB', 'CP', 'RF'),
    createdAtMs: fc.constantFrom(AT_MS, AT_MS - 30_000, AT_MS - 2 * DAY_MS, AT_MS - 40 * DAY_MS),
    isReversed: fc.boolean(),
    matchedKinds: fc.constantFrom([], ['SETTLED'], ['CHARGEBACK'], ['SETTLEMENT REVERSAL']),
  })
const anyRow: fc.Arbitrary<SettlementRow> = fc.record({
  ...references,
  connectorTxId2: retrievalReferences,
  kind: fc.constantFrom('SETTLED', 'SETTLED', 'CHARGEBACK', 'CHARGEBACK REVERSAL', 'FEE'),
  type: fc.constantFrom('DEBIT', 'DEBIT', 'REFUND'),
  cashflow: fc.constantFrom('POS', 'POS', 'NEG'),
  uniqueId: some(id('1'), id('f')),
  descriptor: some(id('2'), '0001.0002.0003'),
  settlementAmountMinor: fc.constant(9200),
  settlementCurrency: fc.constant('EUR'),
  fxRate: some('1.00'),
  presentedAtMs: some(AT_MS, AT_MS + 90_000),
  settledOn: fc.constant('2026-11-21'),
  status: fc.constant('SUCCESS'),
  line: fc.constant(1),
})
const anyCandidates = fc.tuple(...Array.from({ length: 6 }, (_, index) => anyCandidate(index)))

describe('any rows and transactions', () => {
  test('have the same verdicts, whatever the order of the transactions', () => {
    let matched = 0
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 5 }), anyCandidates, fc.infiniteStream(fc.nat()), (rows, all, keys) => {
        const shuffled = all
          .map((candidate) => ({ candidate, key: keys.next().value }))
          .toSorted((one, other) => one.key - other.key)
          .map(({ candidate }) => candidate)
        const verdicts = verdictsOf(rows, all)
        expect(verdictsOf(rows, shuffled)).toEqual(verdicts)
        matched += verdicts.filter((verdict) => verdict.status === 'MATCHED').length
      }),
      { numRuns: 1_000 },
    )
    expect(matched).toBeGreaterThan(100)
  })

  test('are matched only within a merchant, a type and a currency or rate, and once for each kind', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 8 }), anyCandidates, (rows, all) => {
        // A storage that finds too much must not cause a match.
        const verdicts = verdictsOf(rows, all, { find: () => true })
        const used = new Set<string>()
        for (const [index, verdict] of verdicts.entries()) {
          const row = rows[index] ?? exampleRow
          if (row.kind === 'FEE' || verdict.status === 'NOT_MATCHED') continue
          const ids = verdict.status === 'MATCHED' ? [verdict.id] : verdict.ids
          const candidates = all.filter((candidate) => ids.includes(candidate.id))
          expect(candidates).toHaveLength(ids.length)
          for (const { clearingMerchantId, currency, isReversed, matchedKinds, type } of candidates) {
            expect(clearingMerchantId).toBe(row.clearingMerchantId)
            expect(currency === row.currency || row.fxRate !== undefined).toBe(true)
            expect(matchedKinds).not.toContain(matchedKindOf(row))
            expect(isReversed || matchedKindOf(row) !== 'SETTLEMENT REVERSAL').toBe(true)
            expect(type === 'RF').toBe(row.type === 'REFUND')
            expect(type).not.toBe('PA')
          }
          if (verdict.status !== 'MATCHED') continue
          expect(used).not.toContain(`${matchedKindOf(row)} ${verdict.id}`)
          used.add(`${matchedKindOf(row)} ${verdict.id}`)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})

it('of a search with too many hits is ambiguous, also by a weak rule', () => {
  const row = { ...exampleRow, last4: '0000', bin: '420000', approvalCode: 'A1B2C3' }
  const matching = matchRows([{ row, timeZone: 'UTC' }], completeLedger)
  matching.next()
  expect(matching.next([undefined])).toMatchObject({
    done: true,
    value: [{ status: 'NOT_MATCHED', reason: 'ambiguous' }],
  })
})
