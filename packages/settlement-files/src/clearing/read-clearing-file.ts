import { type Chunks, decodeText } from '../decode-text.ts'
import { FaultError, type FileFault } from '../file-fault.ts'
import { addToHashTotal } from '../fixed-width/fixed-field.ts'
import { createRecordReader, faultOf, type FixedRecord, type ReadValues } from '../fixed-width/read-records.ts'
import { limits } from '../limits.ts'
import { type ClearingFacts, type ClearingRecordType, clearingSpec, type Presentment } from './records.ts'

/** The end of a valid clearing file. */
export interface ClearingSummary extends ClearingFacts {
  readonly kind: 'summary'
  readonly presentmentCount: number
}

/** A part of a clearing file. The last one is a summary or a fault. */
export type ClearingEntry =
  | { readonly kind: 'presentment'; readonly presentment: Presentment; readonly line: number }
  | ClearingSummary
  | FileFault

/**
 * Reads a clearing file from its chunks, as `readSettlementFile` reads settlement files: presentments that precede a
 * fault must not be used. Errors of `chunks` are thrown; faults of the file never are.
 */
export async function* readClearingFile(chunks: Chunks): AsyncGenerator<ClearingEntry> {
  const reader = createClearingReader()
  try {
    for await (const decoded of decodeText(chunks)) {
      if ('reason' in decoded) throw new FaultError(decoded.reason, reader.place())
      yield* reader.read(decoded.piece)
    }
    yield reader.end()
  } catch (error) {
    if (!(error instanceof FaultError)) throw error
    yield error.fault
  }
}

function createClearingReader() {
  let entries: ClearingEntry[] = []
  let facts: ClearingFacts | undefined
  let header: ReadValues = {}
  let batch = { presentmentCount: 0, sumMinor: 0 }
  let [batchCount, presentmentCount, hashTotal] = [0, 0, 0]

  const handlers: Readonly<Record<ClearingRecordType, (record: FixedRecord<ClearingRecordType>) => void>> = {
    CH(record) {
      const values = reader.valuesOf(record)
      if (!areClearingFacts(values)) throw faultOf(record, 'MISSING')
      const { institute, fileId, sequence, businessDay } = values
      facts = { institute, fileId, sequence, businessDay }
    },
    BH(record) {
      header = reader.valuesOf(record)
      batch = { presentmentCount: 0, sumMinor: 0 }
      batchCount++
    },
    PR(record) {
      const presentment = { ...header, ...reader.valuesOf(record) }
      if (!isPresentment(presentment)) throw faultOf(record, 'MISSING')
      if (++presentmentCount > limits.rowsMax) throw faultOf(record, 'ROWS')
      batch.presentmentCount++
      batch.sumMinor += presentment.amountMinor
      if (!Number.isSafeInteger(batch.sumMinor)) throw faultOf(record, 'TOTAL')
      hashTotal = addToHashTotal(hashTotal, presentment.amountMinor)
      entries.push({ kind: 'presentment', presentment, line: record.line })
    },
    BT: (record) => reader.compare(record, batch),
    CT: (record) => reader.compare(record, { batchCount, presentmentCount, hashTotal }),
  }
  const reader = createRecordReader<ClearingRecordType>(clearingSpec, (record) => handlers[record.type](record))

  return {
    read(piece: string): readonly ClearingEntry[] {
      reader.write(piece)
      const complete = entries
      entries = []
      return complete
    },
    end(): ClearingSummary {
      reader.end()
      if (facts === undefined) throw new FaultError('TRUNCATED', reader.place())
      return { kind: 'summary', ...facts, presentmentCount }
    },
    place: () => reader.place(),
  }
}

// The table has the kinds of the values: only their presence is to be shown to the compiler.
const areClearingFacts = (values: object): values is ClearingFacts => 'fileId' in values && 'businessDay' in values
const isPresentment = (values: object): values is Presentment =>
  'clearingMerchantId' in values && 'presentmentId' in values
