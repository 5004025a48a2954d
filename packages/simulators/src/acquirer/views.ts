import { isApproval } from './decision.ts'
import type { Batch, HostState, Total } from './host-state.ts'
import { netMinorOf } from './reconcile.ts'
import type { HostTransaction } from './transaction.ts'

/** The state of a transaction, which follows from its amounts. */
type TransactionState =
  | 'declined'
  | 'reversed'
  | 'open'
  | 'partlyCaptured'
  | 'captured'
  | 'partlyRefunded'
  | 'refunded'
  | 'credited'
  | 'approved'

/** A transaction as tests and developers see it. Its card is masked. */
export type TransactionView = Pick<
  HostTransaction,
  | 'terminal'
  | 'merchant'
  | 'stan'
  | 'transmittedAt'
  | 'rrn'
  | 'networkId'
  | 'type'
  | 'kind'
  | 'currency'
  | 'requestedMinor'
  | 'authorisedMinor'
  | 'capturedMinor'
  | 'refundedMinor'
  | 'reversedMinor'
  | 'responseCode'
  | 'approvalCode'
  | 'descriptor'
  | 'clearingSequence'
  | 'businessDay'
  | 'batch'
  | 'pointOfSale'
> & { readonly state: TransactionState; readonly card: string; readonly cardHash: string }

function transactionStateOf(transaction: HostTransaction): TransactionState {
  const { kind, responseCode, isReversed, isFinal, authorisedMinor, capturedMinor, refundedMinor } = transaction
  if (!isApproval(responseCode)) return 'declined'
  if (isReversed) return 'reversed'
  switch (kind) {
    case 'authorisation':
    case 'sale':
      if (refundedMinor > 0) return refundedMinor === capturedMinor ? 'refunded' : 'partlyRefunded'
      if (capturedMinor === 0) return isFinal ? 'reversed' : 'open'
      return isFinal || capturedMinor === authorisedMinor ? 'captured' : 'partlyCaptured'
    case 'capture':
      return 'captured'
    case 'refund':
    case 'payout':
      return 'credited'
    case 'increment':
    case 'verification':
    case 'inquiry':
      return 'approved'
  }
}

function transactionViewOf(transaction: HostTransaction): TransactionView {
  const { id: _id, reference: _reference, rootId: _rootId, card, account: _account, ...rest } = transaction
  const { isReversed: _isReversed, isFinal: _isFinal, ...shown } = rest
  return { ...shown, state: transactionStateOf(transaction), card: card.masked, cardHash: card.hash }
}

/** Filters of the view of transactions: equal values of these properties. */
const transactionFilters = ['terminal', 'merchant', 'stan', 'transmittedAt', 'rrn', 'networkId'] as const

export type TransactionFilter = { readonly [Name in (typeof transactionFilters)[number]]?: string }

/** The newest transactions that fit a filter, the newest first. */
export function newestTransactions(
  { transactions }: HostState,
  filter: TransactionFilter,
  max: number,
): readonly TransactionView[] {
  const given = transactionFilters.filter((name) => filter[name] !== undefined)
  const rows = [...transactions.values()]
  const views: TransactionView[] = []
  for (let row = rows.pop(); row !== undefined && views.length < max; row = rows.pop()) {
    const transaction = row
    if (given.every((name) => transaction[name].trim() === filter[name])) views.push(transactionViewOf(transaction))
  }
  return views
}

/** A batch with its net amount: positive if the merchant owes more credits than it has debits. */
export const batchViewOf = <B extends Batch>(batch: B): B & { readonly netMinor: number } => ({
  ...batch,
  netMinor: netMinorOf(batch.totals),
})

/** Whether a batch has any transaction. */
export const hasTransactions = ({ totals }: Batch): boolean =>
  Object.values<Total>(totals).some(({ count }) => count > 0)
