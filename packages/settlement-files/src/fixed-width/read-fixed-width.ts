import { NO_CURRENCY } from '../currency-of.ts'
import { areFacts } from '../facts-fields.ts'
import { readField, reasonOf } from '../field.ts'
import type { FileEntry, FileFacts, FileSummary } from '../file-entry.ts'
import { FaultError, type FaultReason } from '../file-fault.ts'
import type { FormatReader } from '../format-reader.ts'
import { limits } from '../limits.ts'
import { createLines } from '../lines.ts'
import { isSettlementRow, type RowValues } from '../row-members.ts'
import { createTotals } from '../totals.ts'
import type { Value } from '../value-kinds.ts'
import {
  addToHashTotal,
  batchMembers,
  type FileState,
  type FixedField,
  headLength,
  recordHead,
  recordLength,
  recordOrder,
  type RecordType,
  records,
} from './records.ts'

type Values = { [Member in string]?: Value | undefined }

/** A record of the file. */
interface FixedRecord {
  readonly type: RecordType
  readonly text: string
  readonly line: number
}

/** The sums of a batch, for its trailer. */
const newBatch = () => ({ header: {} as Values, rowCount: 0, POS: 0, NEG: 0 })

/** Creates the reader of a file in the fixed-width format. */
export function createFixedWidthReader(): FormatReader {
  const totals = createTotals()
  let state: FileState = 'start'
  let entries: FileEntry[] = []
  let facts: FileFacts | undefined
  let batch = newBatch()
  let batchCount = 0
  let rowCount = 0
  let hashTotal = 0

  const readRow = (record: FixedRecord, kind: string): void => {
    // A literal to which members are added: objects that begin as a copy are slower by half.
    const row: RowValues = { line: record.line }
    row.kind = kind
    for (const member of batchMembers) if (batch.header[member] !== undefined) row[member] = batch.header[member]
    readInto(row, record)
    if (!isSettlementRow(row)) throw faultOf(record, 'VALUE')
    if (++rowCount > limits.rowsMax) throw faultOf(record, 'ROWS')
    batch.rowCount++
    batch[row.cashflow] += row.settlementAmountMinor
    hashTotal = addToHashTotal(hashTotal, row.settlementAmountMinor)
    if (!totals.add(row)) throw faultOf(record, 'TOTAL')
    entries.push({ kind: 'row', row })
  }

  const handlers: Readonly<Record<RecordType, (record: FixedRecord) => void>> = {
    FH(record) {
      const { version, ...values } = valuesOf(record)
      if (version === undefined || !areFacts(values)) throw faultOf(record, 'MISSING')
      facts = values
    },
    BH(record) {
      batch = { ...newBatch(), header: valuesOf(record) }
      batchCount++
    },
    DT: (record) => readRow(record, records.DT.kind),
    CB: (record) => readRow(record, records.CB.kind),
    CR: (record) => readRow(record, records.CR.kind),
    FE: (record) => readRow(record, records.FE.kind),
    BT: (record) => compare(record, { rowCount: batch.rowCount, positiveMinor: batch.POS, negativeMinor: batch.NEG }),
    FT: (record) => compare(record, { batchCount, rowCount, hashTotal }),
  }

  let recordCount = 0
  const lines = createLines((text, line) => {
    const type = text.slice(0, recordHead.typeLength)
    if (state === 'end') throw new FaultError('TRAILING', { line, column: 1 })
    if (!isRecordType(type)) throw new FaultError('RECORD_TYPE', { line, column: 1 })
    const record = { type, text, line }
    checkLength(record)
    const following: { readonly [Type in RecordType]?: FileState } = recordOrder[state]
    const next = following[type]
    if (next === undefined) throw faultOf(record, 'RECORD_ORDER')
    const number = valueOf(record, recordHead.number, recordHead.typeLength)
    if (number !== ++recordCount) throw faultOf(record, 'RECORD_NUMBER', recordHead.typeLength, recordHead.number.name)
    handlers[type](record)
    state = next
  })

  return {
    read(piece) {
      lines.write(piece)
      const complete = entries
      entries = []
      return complete
    },
    end(): FileSummary {
      lines.end()
      if (facts === undefined || state !== 'end') throw new FaultError('TRUNCATED', lines.place())
      return { kind: 'summary', format: 'fixed-width', ...facts, rowCount, bankEntryCount: 0, totals: totals.list() }
    },
    place: () => lines.place(),
  }
}

const isRecordType = (type: string): type is RecordType => Object.hasOwn(records, type)

const faultOf = ({ line }: FixedRecord, reason: FaultReason, offset = 0, name?: string): FaultError =>
  new FaultError(reason, { line, column: offset + 1 }, name)

function checkLength(record: FixedRecord): void {
  const { length } = record.text
  if (length !== recordLength) throw faultOf(record, 'LINE_LENGTH', Math.min(length, recordLength))
}

function valueOf(record: FixedRecord, field: FixedField, offset: number): Value | undefined {
  const text = record.text.slice(offset, offset + field.length).trimEnd()
  if (text === '' && !field.isRequired) return undefined
  const value = readField(field, text, NO_CURRENCY)
  if (value === undefined) throw faultOf(record, reasonOf(field, text), offset, field.name)
  return value
}

function valuesOf(record: FixedRecord): Values {
  const values: Values = {}
  readInto(values, record)
  return values
}

/** Adds the values of a record's fields. The characters after the last field must be blank. */
function readInto(values: Values, record: FixedRecord): void {
  let offset = headLength
  for (const field of records[record.type].fields) {
    const value = valueOf(record, field, offset)
    if (value !== undefined) values[field.member] = value
    offset += field.length
  }
  if (record.text.slice(offset).trim() !== '') throw faultOf(record, 'VALUE', offset, 'Filler')
}

/** Compares the numbers of a trailer with those of the file. */
function compare(record: FixedRecord, expected: Readonly<Record<string, number>>): void {
  const values = valuesOf(record)
  let offset = headLength
  for (const { member, name, length } of records[record.type].fields) {
    if (values[member] !== expected[member]) {
      throw faultOf(record, member.endsWith('Count') ? 'COUNT' : 'TOTAL', offset, name)
    }
    offset += length
  }
}
