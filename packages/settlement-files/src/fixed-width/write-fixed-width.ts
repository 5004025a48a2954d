import type { SettlementRow } from '@tollgate/domain'
import { NO_CURRENCY } from '../currency-of.ts'
import { writeField } from '../field.ts'
import type { FileFacts } from '../file-entry.ts'
import type { Value } from '../value-kinds.ts'
import {
  addToHashTotal,
  batchMembers,
  type FixedField,
  recordHead,
  recordLength,
  type RecordType,
  records,
} from './records.ts'

type Values = { readonly [Member in string]?: Value | undefined }

const typeOfKind: Readonly<Record<SettlementRow['kind'], RecordType>> = {
  SETTLED: 'DT',
  CHARGEBACK: 'CB',
  'CHARGEBACK REVERSAL': 'CR',
  FEE: 'FE',
}

/**
 * Writes a file in the fixed-width format, record by record. Consecutive rows with the same clearing merchant,
 * settlement, currency and day become a batch. Members for which the format has no field are left out.
 */
export function* writeFixedWidth(facts: FileFacts, rows: Iterable<SettlementRow>): Generator<string> {
  let recordNumber = 0
  let hashTotal = 0
  let rowCount = 0
  let batchCount = 0
  const record = (type: RecordType, values: Values): string =>
    writeRecord(type, { ...values, recordNumber: ++recordNumber })

  yield record('FH', { ...facts, version: '01' })
  let batch: Batch | undefined
  for (const row of rows) {
    if (batch && !isSameBatch(batch.first, row)) {
      yield record('BT', trailerOf(batch))
      batch = undefined
    }
    if (batch === undefined) {
      batch = { first: row, rowCount: 0, POS: 0, NEG: 0 }
      batchCount++
      yield record('BH', { ...row })
    }
    batch.rowCount++
    batch[row.cashflow] += row.settlementAmountMinor
    rowCount++
    hashTotal = addToHashTotal(hashTotal, row.settlementAmountMinor)
    yield record(typeOfKind[row.kind], { ...row })
  }
  if (batch) yield record('BT', trailerOf(batch))
  yield record('FT', { batchCount, rowCount, hashTotal })
}

interface Batch {
  readonly first: SettlementRow
  rowCount: number
  POS: number
  NEG: number
}

const isSameBatch = (one: SettlementRow, other: SettlementRow): boolean =>
  batchMembers.every((member) => one[member] === other[member])

const trailerOf = ({ rowCount, POS, NEG }: Batch): Values => ({ rowCount, positiveMinor: POS, negativeMinor: NEG })

function writeRecord(type: RecordType, values: Values): string {
  const fields: readonly FixedField[] = [recordHead.number, ...records[type].fields]
  const text = type + fields.map((field) => writeCell(field, values[field.member])).join('')
  return `${text.padEnd(recordLength)}\n`
}

function writeCell(field: FixedField, value: Value | undefined): string {
  const text = writeField(field, value, NO_CURRENCY)
  if (text.length > field.length || text.includes('\n')) {
    throw new RangeError(`${field.name}: must be one line of up to ${field.length} characters`)
  }
  return text.padEnd(field.length)
}
