import type { SettlementRow } from '@tollgate/domain'
import type { FileFacts } from '../file-entry.ts'
import { addToHashTotal } from './fixed-field.ts'
import { batchMembers, fixedWidthSpec, type RecordType } from './records.ts'
import { createRecordWriter, type RecordValues } from './write-record.ts'

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
  let hashTotal = 0
  let rowCount = 0
  let batchCount = 0
  const record = createRecordWriter(fixedWidthSpec)

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

const trailerOf = ({ rowCount, POS, NEG }: Batch): RecordValues => ({
  rowCount,
  positiveMinor: POS,
  negativeMinor: NEG,
})
