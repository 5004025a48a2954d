import { areFacts } from '../facts-fields.ts'
import type { FileEntry, FileFacts, FileSummary } from '../file-entry.ts'
import { FaultError } from '../file-fault.ts'
import type { FormatReader } from '../format-reader.ts'
import { limits } from '../limits.ts'
import { isSettlementRow, type RowValues } from '../row-members.ts'
import { createTotals } from '../totals.ts'
import { addToHashTotal } from './fixed-field.ts'
import { createRecordReader, faultOf, type FixedRecord, type ReadValues } from './read-records.ts'
import { batchMembers, fixedWidthSpec, type RecordType, records } from './records.ts'

/** The sums of a batch, for its trailer. */
const newBatch = () => ({ header: {} as ReadValues, rowCount: 0, POS: 0, NEG: 0 })

/** Creates the reader of a file in the fixed-width format. */
export function createFixedWidthReader(): FormatReader {
  const totals = createTotals()
  let entries: FileEntry[] = []
  let facts: FileFacts | undefined
  let batch = newBatch()
  let batchCount = 0
  let rowCount = 0
  let hashTotal = 0

  const readRow = (record: FixedRecord<RecordType>, kind: string): void => {
    // A literal to which members are added: objects that begin as a copy are slower by half.
    const row: RowValues = { line: record.line }
    row.kind = kind
    for (const member of batchMembers) if (batch.header[member] !== undefined) row[member] = batch.header[member]
    reader.readInto(row, record)
    if (!isSettlementRow(row)) throw faultOf(record, 'VALUE')
    if (++rowCount > limits.rowsMax) throw faultOf(record, 'ROWS')
    batch.rowCount++
    batch[row.cashflow] += row.settlementAmountMinor
    hashTotal = addToHashTotal(hashTotal, row.settlementAmountMinor)
    if (!totals.add(row)) throw faultOf(record, 'TOTAL')
    entries.push({ kind: 'row', row })
  }

  const handlers: Readonly<Record<RecordType, (record: FixedRecord<RecordType>) => void>> = {
    FH(record) {
      const { version, ...values } = reader.valuesOf(record)
      if (version === undefined || !areFacts(values)) throw faultOf(record, 'MISSING')
      facts = values
    },
    BH(record) {
      batch = { ...newBatch(), header: reader.valuesOf(record) }
      batchCount++
    },
    DT: (record) => readRow(record, records.DT.kind),
    CB: (record) => readRow(record, records.CB.kind),
    CR: (record) => readRow(record, records.CR.kind),
    FE: (record) => readRow(record, records.FE.kind),
    BT: (record) =>
      reader.compare(record, { rowCount: batch.rowCount, positiveMinor: batch.POS, negativeMinor: batch.NEG }),
    FT: (record) => reader.compare(record, { batchCount, rowCount, hashTotal }),
  }

  const reader = createRecordReader<RecordType>(fixedWidthSpec, (record) => handlers[record.type](record))

  return {
    read(piece) {
      reader.write(piece)
      const complete = entries
      entries = []
      return complete
    },
    end(): FileSummary {
      reader.end()
      if (facts === undefined) throw new FaultError('TRUNCATED', reader.place())
      return { kind: 'summary', format: 'fixed-width', ...facts, rowCount, bankEntryCount: 0, totals: totals.list() }
    },
    place: () => reader.place(),
  }
}
