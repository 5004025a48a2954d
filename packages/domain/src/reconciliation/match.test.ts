import { DAY_MS, HOUR_MS } from '@tollgate/contract'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { SettlementRow } from '../settlement/settlement-row.ts'
import type { Candidate, CandidateSearch } from './candidate.ts'
import { feePeriodOf, matchRows, type MatchRules, type MatchVerdict } from './match.ts'
import { matchConditions } from './match-conditions.ts'
import { matchLadder } from './match-ladder.ts'
import { tieBreaks } from './match-tie-breaks.ts'

const AT_MS = Date.parse('2026-11-20T12:00:00Z')
const id = (name: string): string => name.padStart(32, '0')

const payment: Candidate = {
  id: id('a'),
  rootId: id('a'),
  clearingMerchantId: 'M-1',
  type: 'DB',
  amountMinor: 9200,
  currency: 'EUR',
  createdAtMs: AT_MS,
  matchedKinds: [],
}

const settled: SettlementRow = {
  kind: 'SETTLED',
  type: 'DEBIT',
  cashflow: 'POS',
  clearingMerchantId: 'M-1',
  amountMinor: 9200,
  currency: 'EUR',
  settlementAmountMinor: 9200,
  settlementCurrency: 'EUR',
  presentedAtMs: AT_MS,
  settledOn: '2026-11-21',
  status: 'SUCCESS',
  line: 1,
}

/** What a storage finds: the transactions with the key under the name, or of the period. */
const isFound = (search: CandidateSearch, candidate: Candidate): boolean => {
  if (search.clearingMerchantId !== candidate.clearingMerchantId) return false
  if (search.by === 'time') return candidate.createdAtMs >= search.fromMs && candidate.createdAtMs < search.untilMs
  const key = candidate[search.by]
  return key?.toUpperCase().replace(/^0+/, '') === search.key.toUpperCase().replace(/^0+/, '')
}

const rules: MatchRules = { ladder: matchLadder, conditions: matchConditions, tieBreaks }

/** Matches rows with what `find` returns for each search; without it, with what a storage finds. */
function verdictsOf(
  rows: readonly SettlementRow[],
  candidates: readonly Candidate[],
  { with: table = rules, find = isFound, timeZone = 'UTC' } = {},
): readonly MatchVerdict[] {
  const matching = matchRows(
    rows.map((row) => ({ row, timeZone })),
    table,
  )
  let next = matching.next()
  while (next.done !== true) {
    const found = next.value.map((search) => candidates.filter((candidate) => find(search, candidate)))
    next = matching.next(found)
  }
  return next.value
}

const verdictOf = (row: Partial<SettlementRow>, candidates: readonly Partial<Candidate>[], options = {}): string => {
  const [verdict] = verdictsOf(
    [{ ...settled, ...row }],
    candidates.map((candidate) => ({ ...payment, ...candidate })),
    options,
  )
  if (verdict?.status === 'NOT_MATCHED') return verdict.reason
  if (verdict?.status === 'MULTIPLE_MATCHES') return verdict.ids.map((each) => each.replace(/^0+/, '')).join(' ')
  return `${verdict?.id?.replace(/^0+/, '')} by ${verdict?.step}`
}

/** An example of each step of the ladder, in their order. */
const stepExamples: readonly (readonly [step: string, row: Partial<SettlementRow>, candidate: Partial<Candidate>])[] = [
  ['acquirer reference', { connectorTxId1: ' 00arn1 ' }, { connectorTxId1: 'ARN1' }],
  [
    'retrieval reference and approval code',
    { connectorTxId2: '000123', approvalCode: 'ab12' },
    { connectorTxId2: '123', approvalCode: 'AB12' },
  ],
  [
    'network transaction id and clearing sequence',
    { networkTransactionId: 'N1', clearingSequence: 2 },
    { networkTransactionId: 'n1', clearingSequence: 2 },
  ],
  ['transaction id', { uniqueId: id('A') }, { rootId: id('b') }],
  ['payment id', { descriptor: `Shop ${id('b')}` }, { rootId: id('b'), type: 'CP' }],
  ['short id', { descriptor: '0001.0002.0003 Shop' }, { shortId: '0001.0002.0003' }],
  ['merchant transaction id', { merchantTransactionId: ' order-1' }, { merchantTransactionId: 'order-1' }],
  [
    'account and approval code',
    { last4: '1111', bin: '411111', approvalCode: 'X1', presentedAtMs: AT_MS + 20 * DAY_MS },
    { last4: '1111', bin: '41111122', approvalCode: 'x1' },
  ],
  ['account and day', { last4: '0111' }, { last4: '0111' }],
]

describe('the ladder', () => {
  it('has an example of each step', () => {
    expect(stepExamples.map(([step]) => step)).toEqual(matchLadder.map(({ name }) => name))
  })

  it.each(stepExamples)('%s decides, and without this step the row is not matched', (name, row, candidate) => {
    const without = { ...rules, ladder: matchLadder.filter((step) => step.name !== name) }
    expect(verdictOf(row, [candidate])).toBe(`a by ${name}`)
    expect(verdictOf(row, [candidate], { with: without })).toMatch(/^no(?:Reference|Transaction)$/)
  })

  it.each(stepExamples.slice(0, -1).map((example, index) => [example, stepExamples[index + 1] ?? example] as const))(
    'tries %o before the next step, %o',
    ([name, row, candidate], [, nextRow, nextCandidate]) => {
      const earlier = { ...candidate, id: id('a') }
      const later = { ...nextCandidate, id: id('c') }
      expect(verdictOf({ ...nextRow, ...row }, [later, earlier])).toBe(`a by ${name}`)
    },
  )

  it.each<[name: string, row: Partial<SettlementRow>, candidate: Partial<Candidate>]>([
    ['another acquirer reference', { connectorTxId1: 'ARN1' }, { connectorTxId1: 'ARN2' }],
    ['references of zeros', { connectorTxId1: '0000' }, { connectorTxId1: '00' }],
    [
      'another approval code',
      { connectorTxId2: '123', approvalCode: 'A' },
      { connectorTxId2: '123', approvalCode: 'B' },
    ],
    ['no approval code', { connectorTxId2: '123' }, { connectorTxId2: '123' }],
    ['another clearing sequence', { networkTransactionId: 'N1', clearingSequence: 2 }, { networkTransactionId: 'N1' }],
    ['a text that is no id', { uniqueId: 'a', descriptor: `x${id('a')}` }, {}],
    ['a longer number than a short id', { descriptor: '10001.0002.0003' }, { shortId: '0001.0002.0003' }],
    ['a blank merchant transaction id', { merchantTransactionId: ' ' }, { merchantTransactionId: ' ' }],
    [
      'another BIN',
      { last4: '1111', bin: '411112', approvalCode: 'X1', presentedAtMs: AT_MS + 20 * DAY_MS },
      { last4: '1111', bin: '41111122', approvalCode: 'X1' },
    ],
    [
      'a short BIN',
      { last4: '1111', bin: '4', approvalCode: 'X1', presentedAtMs: AT_MS + 20 * DAY_MS },
      { last4: '1111', bin: '41111122', approvalCode: 'X1' },
    ],
    ['other last digits', { last4: '111' }, { last4: '0111' }],
    ['the account on a later day', { last4: '1111', presentedAtMs: AT_MS + 2 * DAY_MS }, { last4: '1111' }],
    ['the account with another amount', { last4: '1111', amountMinor: 9199 }, { last4: '1111' }],
  ])('does not match by %s', (_, row, candidate) => {
    // All transactions are offered, whatever the search, so that the step itself has to compare.
    expect(verdictOf(row, [candidate], { find: () => true })).toMatch(/^no(?:Reference|Transaction)$/)
  })

  it('continues after a reference to a transaction of another type', () => {
    const original = { connectorTxId1: 'ARN1', id: id('c') }
    const refund: Partial<Candidate> = { type: 'RF', merchantTransactionId: 'refund-1' }
    const row: Partial<SettlementRow> = {
      type: 'REFUND',
      cashflow: 'NEG',
      connectorTxId1: 'ARN1',
      merchantTransactionId: 'refund-1',
    }
    expect(verdictOf(row, [original, refund])).toBe('a by merchant transaction id')
  })

  it('searches nothing for a fee, which belongs to a merchant and a month', () => {
    expect(verdictOf({ kind: 'FEE', type: 'MONTHLY' }, [payment], { find: () => true })).toBe(
      'undefined by merchant and month',
    )
    expect(feePeriodOf(settled)).toEqual({ clearingMerchantId: 'M-1', month: '2026-11' })
  })

  it('searches no period for a dispute without the time of its transaction', () => {
    const dispute: SettlementRow = { ...settled, kind: 'CHARGEBACK', last4: '1111', bin: '411111', approvalCode: 'X1' }
    const [searches] = [matchRows([{ row: { ...dispute, presentedAtMs: undefined }, timeZone: 'UTC' }]).next()]
    expect(searches).toEqual({ done: true, value: [{ status: 'NOT_MATCHED', reason: 'noReference' }] })
  })
})

const arn = { connectorTxId1: 'ARN1' }
const dispute: Partial<SettlementRow> = { ...arn, kind: 'CHARGEBACK', cashflow: 'NEG', reason: '10.4' }

describe('the conditions', () => {
  /** An example of each condition: the row and the transaction have the same reference. */
  const examples: readonly (readonly [reason: string, row: Partial<SettlementRow>, candidate: Partial<Candidate>])[] = [
    ['noTransaction', {}, { clearingMerchantId: 'M-2' }],
    ['otherType', {}, { type: 'RF' }],
    ['outsideDates', {}, { createdAtMs: AT_MS - 31 * DAY_MS }],
    ['otherCurrency', { settlementAmountMinor: 9200, settlementCurrency: 'USD' }, { currency: 'CHF' }],
    ['amountDiffers', { amountMinor: 9201 }, {}],
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

/** A row that states only the amount in dollars. */
function usd(amountMinor: number): Partial<SettlementRow> {
  return { amountMinor, currency: 'USD', settlementAmountMinor: amountMinor, settlementCurrency: 'USD' }
}

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
      [{ ...settled, ...arn }],
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

describe('several rows', () => {
  const row = { ...settled, ...arn }

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

  test('a row with a stronger reference has precedence over an earlier row', () => {
    const weak = { ...settled, last4: '1111' }
    const verdicts = verdictsOf([weak, row], [{ ...payment, ...arn, last4: '1111' }])
    expect(verdicts.map(({ status }) => status)).toEqual(['NOT_MATCHED', 'MATCHED'])
  })
})

/** Any of a few values, or none, so that rows and transactions often agree. */
const some = <Value>(...values: readonly Value[]): fc.Arbitrary<Value | undefined> =>
  fc.constantFrom(undefined, ...values)
const references = {
  connectorTxId1: some('ARN1', '00ARN1', 'ARN2'),
  connectorTxId2: some('1', '01', '2'),
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
    id: fc.constant(id(index.toString(16))),
    rootId: fc.constantFrom(id(index.toString(16)), id('f')),
    type: fc.constantFrom('PA', 'DB', 'CP', 'RF'),
    createdAtMs: fc.constantFrom(AT_MS, AT_MS - 30_000, AT_MS - 2 * DAY_MS, AT_MS - 40 * DAY_MS),
    matchedKinds: fc.constantFrom([], ['SETTLED'], ['CHARGEBACK']),
  })
const anyRow: fc.Arbitrary<SettlementRow> = fc.record({
  ...references,
  kind: fc.constantFrom('SETTLED', 'SETTLED', 'CHARGEBACK', 'CHARGEBACK REVERSAL', 'FEE'),
  type: fc.constantFrom('DEBIT', 'DEBIT', 'REFUND'),
  cashflow: fc.constant('POS'),
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
          const row = rows[index] ?? settled
          if (row.kind === 'FEE' || verdict.status === 'NOT_MATCHED') continue
          const ids = verdict.status === 'MATCHED' ? [verdict.id] : verdict.ids
          const candidates = all.filter((candidate) => ids.includes(candidate.id))
          expect(candidates).toHaveLength(ids.length)
          for (const { clearingMerchantId, currency, matchedKinds, type } of candidates) {
            expect(clearingMerchantId).toBe(row.clearingMerchantId)
            expect(currency === row.currency || row.fxRate !== undefined).toBe(true)
            expect(matchedKinds).not.toContain(row.kind)
            expect(type === 'RF').toBe(row.type === 'REFUND')
            expect(type).not.toBe('PA')
          }
          if (verdict.status !== 'MATCHED') continue
          expect(used).not.toContain(`${row.kind} ${verdict.id}`)
          used.add(`${row.kind} ${verdict.id}`)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
