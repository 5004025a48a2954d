import type { CurrencyCode } from '@tollgate/contract'
import type { SettlementRow } from '@tollgate/domain'
import { currencyIn, NO_CURRENCY } from '../currency-of.ts'
import { areFacts, type FactsValues } from '../facts-fields.ts'
import { type Field, readField, reasonOf } from '../field.ts'
import type { FileEntry, FileFacts, FileSummary } from '../file-entry.ts'
import { FaultError } from '../file-fault.ts'
import type { FormatReader } from '../format-reader.ts'
import { limits } from '../limits.ts'
import { isSettlementRow, type RowValues } from '../row-members.ts'
import { areSameTotals, createTotals, sortTotals, type Total } from '../totals.ts'
import type { Value } from '../value-kinds.ts'
import { type CsvColumn, csvColumns, csvEnd, csvFacts, csvSignature, csvTotal } from './columns.ts'
import { type CsvRecord, createCsvRecords, csvFault } from './records.ts'

/** A column of the file. */
interface FileColumn {
  readonly index: number
  readonly column: CsvColumn
}

/** Creates the reader of a file in tollgate-csv. */
export function createCsvReader(): FormatReader {
  const totals = createTotals()
  const stated: Total[] = []
  let entries: FileEntry[] = []
  let facts: FileFacts | undefined
  let columns: readonly FileColumn[] | undefined
  let columnCount = 0
  let rowCount = 0
  let isComplete = false

  const readRow = (record: CsvRecord): void => {
    if (stated.length > 0) throw csvFault(record, 'RECORD_ORDER')
    if (record.cells.length !== columnCount) throw csvFault(record, 'COLUMN')
    const row = rowOf(record, columns ?? [])
    if (++rowCount > limits.rowsMax) throw csvFault(record, 'ROWS')
    if (!totals.add(row)) throw csvFault(record, 'TOTAL')
    entries.push({ kind: 'row', row })
  }

  const readEnd = (record: CsvRecord): void => {
    const values = valuesOf(record, csvEnd.cells)
    if (values.rowCount !== rowCount) throw csvFault(record, 'COUNT', 1, 'Rows')
    if (!areSameTotals(sortTotals(stated), totals.list())) throw csvFault(record, 'TOTAL')
    isComplete = true
  }

  const readRecord = (record: CsvRecord): void => {
    if (isComplete) throw csvFault(record, 'TRAILING')
    if (facts === undefined) facts = factsOf(record)
    else if (columns === undefined) {
      columns = columnsOf(record)
      columnCount = columns.length
    } else if (record.cells[0] === csvEnd.tag) readEnd(record)
    else if (record.cells[0] !== csvTotal.tag) readRow(record)
    else if (stated.push(totalOf(record)) > limits.totalsMax) throw csvFault(record, 'TOTAL')
  }

  const records = createCsvRecords(readRecord)
  return {
    read(piece) {
      records.write(piece)
      const complete = entries
      entries = []
      return complete
    },
    end(): FileSummary {
      records.end()
      if (facts === undefined || !isComplete) throw new FaultError('TRUNCATED', records.place())
      return { kind: 'summary', format: 'tollgate-csv', ...facts, rowCount, bankEntryCount: 0, totals: totals.list() }
    },
    place: () => records.place(),
  }
}

function valueOf(record: CsvRecord, index: number, field: Field, currency: CurrencyCode): Value | undefined {
  const text = record.cells[index] ?? ''
  if (text === '' && !field.isRequired) return undefined
  const value = readField(field, text, currency)
  if (value === undefined) throw csvFault(record, reasonOf(field, text), index, field.name)
  return value
}

/** The values of the cells that follow the signature or tag of a record which is no row. */
function valuesOf(record: CsvRecord, fields: readonly Field[], signatureCells = 1): Readonly<Record<string, Value>> {
  if (record.cells.length !== signatureCells + fields.length) throw csvFault(record, 'COLUMN')
  const values: Record<string, Value> = {}
  for (const [index, field] of fields.entries()) {
    const currency = currencyIn(values['currency'])
    const value = valueOf(record, signatureCells + index, field, currency)
    if (value !== undefined) values[field.member] = value
  }
  return values
}

function factsOf(record: CsvRecord): FileFacts {
  const { cells } = record
  const isSigned = csvSignature.every((text, index) => cells[index] === text)
  if (!isSigned) throw csvFault(record, 'RECORD_TYPE')
  const values: FactsValues = valuesOf(record, csvFacts, csvSignature.length)
  if (!areFacts(values)) throw csvFault(record, 'MISSING')
  return values
}

const columnOf: ReadonlyMap<string, CsvColumn> = new Map(csvColumns.map((column) => [column.name, column]))

/** The columns of the header row. Amounts are last, because they are read in the currency that another cell states. */
function columnsOf(record: CsvRecord): readonly FileColumn[] {
  if (record.cells.length > limits.cellsMax) throw csvFault(record, 'COLUMN')
  const columns = record.cells.map((name, index) => {
    const column = columnOf.get(name)
    if (column === undefined || record.cells.indexOf(name) !== index) throw csvFault(record, 'COLUMN', index)
    return { index, column }
  })
  const missing = csvColumns.find(({ name, isRequired }) => isRequired && !record.cells.includes(name))
  if (missing) throw csvFault(record, 'COLUMN', 0, missing.name)
  const isAmount = ({ column }: FileColumn): boolean => column.currency !== undefined
  return [...columns.filter((column) => !isAmount(column)), ...columns.filter(isAmount)]
}

function rowOf(record: CsvRecord, columns: readonly FileColumn[]): SettlementRow {
  const values: RowValues = { line: record.line }
  for (const { index, column } of columns) {
    const currency = column.currency === undefined ? NO_CURRENCY : currencyIn(values[column.currency])
    const value = valueOf(record, index, column, currency)
    if (value !== undefined) values[column.member] = value
  }
  if (!isSettlementRow(values)) throw csvFault(record, 'VALUE', 0, 'PaymentType')
  return values
}

function totalOf(record: CsvRecord): Total {
  const { currency, cashflow, rowCount, amountMinor } = valuesOf(record, csvTotal.cells)
  if (typeof currency !== 'string' || (cashflow !== 'POS' && cashflow !== 'NEG')) throw csvFault(record, 'MISSING')
  return { currency, cashflow, rowCount: Number(rowCount), amountMinor: Number(amountMinor) }
}
