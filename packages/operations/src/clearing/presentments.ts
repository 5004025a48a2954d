import type { Clearing, FileCapture } from '@tollgate/connectors'
import { endOfBusinessDay } from '@tollgate/domain'
import type { Presentment } from '@tollgate/settlement-files'
import type { ClearingBatchRow, PostingRow, StoredTree, Storage, TransactionRow } from '@tollgate/storage'
import { lastRequest } from '../acquirer/attempts.ts'
import { limits } from '../limits.ts'
import { resultDetailsOf } from '../records/payment-record.ts'

/** Thrown while the file cannot be composed; the message says why. It is composed later. */
export class PresentmentsIncompleteError extends Error {}

/** A clearing whose captures are presented by files. */
export type FileClearing = Clearing & { readonly fileCapture: (sentAs: string) => FileCapture }

export const hasFiles = (clearing: Clearing): clearing is FileClearing => clearing.fileCapture !== undefined

/**
 * The captures of a batch by currency, merchant and id: always the same ones, because a capture and its reversals do
 * not change after the end of their day. A capture that was reversed in full is left out.
 *
 * @throws PresentmentsIncompleteError if a reversal of a capture is undecided, or a capture or its request is missing
 */
export async function* presentmentsOf(
  storage: Storage,
  { acquirer, day }: ClearingBatchRow,
  clearing: FileClearing,
): AsyncGenerator<Presentment> {
  const sums = (await storage.ledgerDaysOfAcquirer(acquirer, day)).filter(({ kind }) => kind === 'capture')
  const currencies = [...new Set(sums.map(({ currency }) => currency))].toSorted()
  for (const currency of currencies)
    for (const { merchant } of sums.filter((sum) => sum.currency === currency))
      for await (const { transaction_id: id, ...posting } of capturesOf(storage, merchant, day)) {
        if (posting.acquirer !== acquirer || posting.currency !== currency) continue
        const presentment = await presentmentOf(storage, id, day, clearing)
        if (presentment) yield presentment
      }
}

/** The entries of a merchant's captures on a day. */
async function* capturesOf(storage: Storage, merchant: string, day: number): AsyncGenerator<PostingRow> {
  for (let [id, kind] = ['', '']; ; ) {
    const page = await storage.postingsAfter(merchant, day, id, kind, day, limits.clearingEntriesPerRead)
    yield* page.filter((posting) => posting.kind === 'capture')
    const last = page.at(-1)
    if (page.length < limits.clearingEntriesPerRead || !last) return
    ;[id, kind] = [last.transaction_id, last.kind]
  }
}

/** @returns undefined: the capture was reversed in full */
async function presentmentOf(
  storage: Storage,
  id: string,
  day: number,
  clearing: FileClearing,
): Promise<Presentment | undefined> {
  const tree = await storage.treeOf(id)
  const capture = tree?.transactions.find((row) => row.id === id)
  const attempt = await lastRequest({ storage }, id)
  if (!tree || !capture || !attempt)
    throw new PresentmentsIncompleteError(`the capture ${id} or its request to the acquirer is missing`)
  const amountMinor =
    (capture.amount_minor ?? 0) - reversedMinorOf(tree, capture, endOfBusinessDay(clearing.cutOff, day))
  if (amountMinor <= 0) return undefined
  const { ConnectorTxID2: originalData = '', ConnectorTxID3: approvalCode = '' } = resultDetailsOf(capture)
  const authorisation = tree.transactions.find((row) => row.id === capture.referenced_id)
  return {
    ...clearing.fileCapture(attempt.sent_as),
    clearingMerchantId: clearing.merchantId,
    currency: capture.currency ?? '',
    presentmentId: id,
    originalData,
    approvalCode: approvalCode || undefined,
    networkTransactionId: authorisation && resultDetailsOf(authorisation)['CardholderInitiatedTransactionID'],
    amountMinor,
    capturedAtMs: Math.floor(capture.created_at_ms / 1000) * 1000,
  }
}

/** The sum of the reversals of a capture. One that is requested after the end of the day is refused. */
function reversedMinorOf({ transactions }: StoredTree, { id }: TransactionRow, endsAtMs: number): number {
  const reversals = transactions.filter((row) => row.type === 'RV' && row.referenced_id === id && row.status !== 'NOK')
  const inTime = reversals.filter((row) => row.created_at_ms < endsAtMs)
  if (inTime.some(({ status }) => status !== 'ACK'))
    throw new PresentmentsIncompleteError('a reversal of a capture is undecided')
  return inTime.reduce((sum, { amount_minor: amountMinor }) => sum + (amountMinor ?? 0), 0)
}
