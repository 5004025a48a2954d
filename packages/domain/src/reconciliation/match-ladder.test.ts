import { DAY_MS } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import type { SettlementRow } from '../settlement/settlement-row.ts'
import {
  AT_MS,
  completeLedger,
  dispute,
  id,
  isFound,
  payment,
  rules,
  exampleRow,
  verdictOf,
} from '../testing/match-examples.ts'
import type { Candidate, CandidateSearch } from './candidate.ts'
import { feePeriodOf, matchRows } from './match.ts'
import { matchLadder } from './match-ladder.ts'

/** Of the transactions with a network's transaction id, a storage finds only N1, that of an agreement, by it. */
const find = (search: CandidateSearch, candidate: Candidate): boolean =>
  isFound(search, candidate) && (search.by !== 'networkTransactionId' || search.key === 'N1')

/** An example of each step of the ladder, in their order. */
const stepExamples: readonly (readonly [step: string, row: Partial<SettlementRow>, candidate: Partial<Candidate>])[] = [
  ['acquirer reference', { connectorTxId1: ' 00arn1 ' }, { connectorTxId1: 'ARN1' }],
  [
    'retrieval reference and approval code',
    { connectorTxId2: '000123', approvalCode: 'ab12' },
    { retrievalReference: '123', approvalCode: 'AB12' },
  ],
  [
    'network transaction id and clearing sequence',
    {
      ...dispute,
      connectorTxId1: undefined,
      presentedAtMs: undefined,
      networkTransactionId: 'N1',
      clearingSequence: 2,
    },
    { networkTransactionId: 'n1', clearingSequence: 2 },
  ],
  [
    'network transaction id on a day',
    { networkTransactionId: 'N2', clearingSequence: 3 },
    { networkTransactionId: 'n2', clearingSequence: 3 },
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
    expect(verdictOf(row, [candidate], { find })).toBe(`a by ${name}`)
    expect(verdictOf(row, [candidate], { find, with: without })).toMatch(/^no(?:Reference|Transaction)$/)
  })

  it.each(stepExamples.slice(0, -1).map((example, index) => [example, stepExamples[index + 1] ?? example] as const))(
    'tries %o before the next step, %o',
    ([name, row, candidate], [, nextRow, nextCandidate]) => {
      const earlier = { ...candidate, id: id('a') }
      const later = { ...nextCandidate, id: id('c') }
      expect(verdictOf({ ...nextRow, ...row }, [later, earlier], { find })).toBe(`a by ${name}`)
    },
  )

  it.each<[name: string, row: Partial<SettlementRow>, candidate: Partial<Candidate>]>([
    ['another acquirer reference', { connectorTxId1: 'ARN1' }, { connectorTxId1: 'ARN2' }],
    ['references of zeros', { connectorTxId1: '0000' }, { connectorTxId1: '00' }],
    [
      'another approval code',
      { connectorTxId2: '123', approvalCode: 'A' },
      { retrievalReference: '123', approvalCode: 'B' },
    ],
    ['no approval code', { connectorTxId2: '123' }, { retrievalReference: '123' }],
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
    expect(feePeriodOf(exampleRow)).toEqual({ clearingMerchantId: 'M-1', month: '2026-11' })
  })

  it('searches no period for a dispute without the time of its transaction', () => {
    const chargeback: SettlementRow = {
      ...exampleRow,
      kind: 'CHARGEBACK',
      last4: '1111',
      bin: '411111',
      approvalCode: 'X1',
    }
    const [searches] = [
      matchRows([{ row: { ...chargeback, presentedAtMs: undefined }, timeZone: 'UTC' }], completeLedger).next(),
    ]
    expect(searches).toEqual({ done: true, value: [{ status: 'NOT_MATCHED', reason: 'noReference' }] })
  })
})
