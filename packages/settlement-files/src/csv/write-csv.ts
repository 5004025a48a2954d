import type { SettlementRow } from '@tollgate/domain'
import { currencyIn } from '../currency-of.ts'
import { type Field, writeField } from '../field.ts'
import type { FileFacts } from '../file-entry.ts'
import { createTotals } from '../totals.ts'
import type { Value } from '../value-kinds.ts'
import { joinCells } from './cells.ts'
import { csvColumns, csvEnd, csvFacts, csvSignature, csvTotal } from './columns.ts'

type Values = { readonly [Member in string]?: Value | undefined }

const cellsOf = (fields: readonly Field[], values: Values): readonly string[] =>
  fields.map((field) => writeField(field, values[field.member], currencyIn(values[field.currency ?? 'currency'])))

/** Writes a file in tollgate-csv, line by line. */
export function* writeCsv(facts: FileFacts, rows: Iterable<SettlementRow>): Generator<string> {
  const totals = createTotals()
  let rowCount = 0
  yield line([...csvSignature, ...cellsOf(csvFacts, { ...facts })])
  yield line(csvColumns.map(({ name }) => name))
  for (const row of rows) {
    rowCount++
    if (!totals.add(row)) throw new RangeError('SettlementAmount: the sum is too large')
    yield line(cellsOf(csvColumns, { ...row }))
  }
  for (const total of totals.list()) yield line([csvTotal.tag, ...cellsOf(csvTotal.cells, { ...total })])
  yield line([csvEnd.tag, ...cellsOf(csvEnd.cells, { rowCount })])
}

const line = (cells: readonly string[]): string => `${joinCells(cells)}\n`
