import { transactionRow } from '@tollgate/gateway/testing'
import type { StoredTree, TransactionRow } from '@tollgate/storage'
import { expect, test } from 'vitest'
import { detailOf, paymentTree, resultDetailsOf } from './payment-record.ts'

const row = transactionRow()
const treeWith = (changes: Partial<TransactionRow>): StoredTree => ({
  id: 'p',
  merchant: 'm',
  version: 1,
  transactions: [transactionRow(changes)],
})

test.each([{ facts: {} }, { facts: { numberOfCaptures: 98, expiresAtMs: 1_777_863_721_000, final: true } }])(
  'the facts $facts are read as they were stored',
  ({ facts }) => {
    const tree = paymentTree(treeWith({ facts: JSON.stringify(facts) }))
    expect(tree?.transactions[0]?.facts).toEqual(facts)
  },
)

test.each(['', '[]', 'null', '"x"', '{"final":1}', '{"expiresAtMs":"1"}', '{"numberOfCaptures":1.5}'])(
  'the stored facts %j are refused',
  (facts) => expect(() => paymentTree(treeWith({ facts }))).toThrow(),
)

test('the details of a result are read as they were stored', () => {
  const resultDetails = { ExtendedDescription: 'Approved', ConnectorTxID1: 'SIM-1' }
  expect(resultDetailsOf({ ...row, outcome: JSON.stringify({ resultDetails, descriptor: 'x' }) })).toEqual(
    resultDetails,
  )
})

test.each([
  { resultDetails: { ExtendedDescription: 'a', ConnectorTxID1: 'SIM-1', ConnectorTxID2: 'x' } },
  { resultDetails: { ConnectorTxID1: 'with "quotes" and \\' } },
  { resultDetails: { ExtendedDescription: '"ConnectorTxID1":"other"', ConnectorTxID1: 'SIM-1' } },
  { resultDetails: { ExtendedDescription: '"ConnectorTxID1":"other"' } },
  { resultDetails: {} },
])('a detail of %j is that of all its details', (outcome) => {
  const stored = { ...row, outcome: JSON.stringify(outcome) }
  expect(detailOf(stored, 'ConnectorTxID1')).toBe(resultDetailsOf(stored)['ConnectorTxID1'])
})

test.each(['', '{}', '[]', '{"resultDetails":[]}', '{"resultDetails":{"a":1}}', '{"resultDetails":null}'])(
  'the stored outcome %j is refused',
  (outcome) => expect(() => resultDetailsOf({ ...row, outcome })).toThrow(),
)

test.each<Partial<TransactionRow>>([{ status: 'OPEN' }, { currency: 'XXX' }, { brand: 'NONE' }, { test_mode: 'BOTH' }])(
  'a stored row with the unknown value %j is refused',
  (changes) => expect(() => paymentTree(treeWith(changes))).toThrow(),
)
