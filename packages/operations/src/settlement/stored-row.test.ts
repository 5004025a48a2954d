import { InvariantError } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { settlementRowOf } from '../testing/settlement-files.ts'
import { rowIn, rowJson, rowsWithPayment } from './stored-row.ts'

const first = settlementRowOf({ connectorTxId1: '1' })
const second = settlementRowOf({ connectorTxId1: '2', dueOn: '2026-07-01' })
const storedOf = (...texts: readonly string[]) => texts.map((row) => ({ row }))

test('rows that are parsed together keep their order', () => {
  const rows = rowsWithPayment(storedOf(rowJson(first, undefined), rowJson(second, undefined)))
  expect(rows.map(({ connectorTxId1, dueOn }) => [connectorTxId1, dueOn])).toEqual([
    ['1', undefined],
    ['2', '2026-07-01'],
  ])
  expect(rowsWithPayment([])).toEqual([])
})

test('a row without rare values is a short list', () => {
  const values = '"SETTLED","DEBIT","POS","SUCCESS",0,"NORTH0000000001","S1","2026-06-16",9200,"EUR",9200,"EUR"'
  expect(rowJson(first, undefined)).toBe(`[null,${values},90,1781524800000,"1"]`)
})

/** The list of a row with another value in a place, and with further values. */
function changed(place: number, value: unknown, ...more: readonly unknown[]): string {
  const values: unknown[] = JSON.parse(rowJson(second, undefined))
  return JSON.stringify([...values.toSpliced(place, 1, value), ...more])
}

test('a stored text that is not one row is refused, also if it is two', () => {
  const both = `${rowJson(first, undefined)},${rowJson(second, undefined)}`
  for (const text of [both, '{}', '[]', '', '1'])
    expect(() => rowsWithPayment(storedOf(rowJson(first, undefined), text))).toThrow()
  expect(() => rowsWithPayment(storedOf(both))).toThrow(InvariantError)
})

test.each([
  ['an object', JSON.stringify(first)],
  ['an unknown kind', changed(1, 'OTHER')],
  ['no amount', changed(9, null)],
  ['a broken amount', changed(9, 92.5)],
  ['a number as a text', changed(7, 1)],
  ['a value too many', changed(9, 9200, 'x')],
  ['references that are no list', changed(0, {})],
  ['references of another type', changed(0, [1])],
  [
    'too many references',
    changed(
      0,
      Array.from({ length: 8 }, () => 'x'),
    ),
  ],
])('a stored row with %s is refused', (_fault, row) => {
  expect(() => rowIn({ row })).toThrow(InvariantError)
  expect(() => rowsWithPayment([{ row }])).toThrow(InvariantError)
})

test('the references of a row are no members of the row of its file', () => {
  const row = changed(0, ['order-1', null, 'A1'])
  const { merchantTransactionId, connectorTxId2, connectorTxId3 } = rowsWithPayment([{ row }])[0]?.payment ?? {}
  expect([merchantTransactionId, connectorTxId2, connectorTxId3]).toEqual(['order-1', undefined, 'A1'])
  expect(rowIn({ row })).toEqual(second)
})
