import { addToHashTotal } from '../fixed-width/fixed-field.ts'
import { createRecordWriter } from '../fixed-width/write-record.ts'
import { type ClearingFacts, clearingSpec, type Presentment } from './records.ts'

/**
 * Writes a clearing file, record by record: the same bytes for the same arguments. Consecutive presentments of the same
 * merchant and currency become a batch.
 *
 * @throws RangeError, which names the field but not its value, if the format cannot express a value
 */
export async function* writeClearingFile(
  facts: ClearingFacts,
  presentments: Iterable<Presentment> | AsyncIterable<Presentment>,
): AsyncGenerator<string> {
  const record = createRecordWriter(clearingSpec)
  let batch: { readonly first: Presentment; presentmentCount: number; sumMinor: number } | undefined
  let [batchCount, presentmentCount, hashTotal] = [0, 0, 0]

  yield record('CH', { ...facts, version: '01' })
  for await (const presentment of presentments) {
    if (batch && !isSameBatch(batch.first, presentment)) {
      yield record('BT', trailerOf(batch))
      batch = undefined
    }
    if (batch === undefined) {
      batch = { first: presentment, presentmentCount: 0, sumMinor: 0 }
      batchCount++
      yield record('BH', { ...presentment })
    }
    batch.presentmentCount++
    batch.sumMinor += presentment.amountMinor
    presentmentCount++
    hashTotal = addToHashTotal(hashTotal, presentment.amountMinor)
    yield record('PR', { ...presentment })
  }
  if (batch) yield record('BT', trailerOf(batch))
  yield record('CT', { batchCount, presentmentCount, hashTotal })
}

const isSameBatch = (one: Presentment, other: Presentment): boolean =>
  one.clearingMerchantId === other.clearingMerchantId && one.currency === other.currency

const trailerOf = ({
  presentmentCount,
  sumMinor,
}: {
  readonly presentmentCount: number
  readonly sumMinor: number
}) => ({
  presentmentCount,
  sumMinor,
})
