import { InvariantError } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { settlementRowOf } from '../testing/settlement-files.ts'
import { rowJson, rowsWithPayment } from './stored-row.ts'

const first = settlementRowOf({ connectorTxId1: '1' })
const second = settlementRowOf({ connectorTxId1: '2' })
const storedOf = (...texts: readonly string[]) => texts.map((row) => ({ row }))

test('rows that are parsed together keep their order', () => {
  const texts = [rowJson(first, undefined), rowJson(second, undefined)]
  expect(rowsWithPayment(storedOf(...texts))).toEqual([first, second])
  expect(rowsWithPayment([])).toEqual([])
})

test('a stored text that is not one row is refused, also if it is two', () => {
  const both = `${rowJson(first, undefined)},${rowJson(second, undefined)}`
  for (const text of [both, '{}', '', '1'])
    expect(() => rowsWithPayment(storedOf(rowJson(first, undefined), text))).toThrow()
  expect(() => rowsWithPayment(storedOf(both))).toThrow(InvariantError)
})
