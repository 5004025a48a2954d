import { InvariantError } from '@tollgate/contract'
import type {
  AcquirerAccount,
  AcquirerOperation,
  AcquirerRequest,
  Inquiry,
  OpenRequest,
  OriginalTransaction,
} from '@tollgate/connectors'
import { type Go, isPaymentType, isTestMode, type PaymentType } from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import type { ReferenceData } from '../parameters/reference-data.ts'
import type { Head } from '../request-head.ts'
import { narrow } from '../narrow.ts'
import type { UsableInstrument } from '../accounts/instrument.ts'
import { resultDetailsOf } from '../records/payment-record.ts'

/** The account in the format of the connectors. */
export const acquirerAccount = ({ account, number, cvv, masked }: UsableInstrument): AcquirerAccount => ({
  kind: account,
  number,
  cvv,
  holder: masked.holder ?? undefined,
  expiryMonth: masked.expiryMonth ?? undefined,
  expiryYear: masked.expiryYear ?? undefined,
  details: masked.details,
})

/** The acquirer's operation for each payment type; null: the gateway only records the transaction. */
const operations: Readonly<Record<PaymentType, AcquirerOperation | null>> = {
  PA: 'PA',
  DB: 'DB',
  CD: 'CD',
  CP: 'CP',
  RV: 'RV',
  RF: 'RF',
  RB: 'DB',
  CB: null,
  CR: null,
  RC: null,
}

/** The acquirer's operation for a payment type whose requests are sent to the acquirer. */
function operationOf(type: PaymentType): AcquirerOperation {
  const operation = operations[type]
  if (operation === null) throw new InvariantError('CB, CR and RC have no operation at an acquirer')
  return operation
}

/** The references by which the acquirer finds a transaction. */
function referencesOf(row: TransactionRow): readonly string[] {
  const response = resultDetailsOf(row)
  const references = [response['ConnectorTxID1'], response['ConnectorTxID2'], response['ConnectorTxID3']]
  return references.filter((reference) => reference !== undefined)
}

/** The transaction that a follow-up refers to, as the acquirer knows it. @param transactions those of its payment */
export function originalOf(row: TransactionRow, transactions: readonly TransactionRow[]): OriginalTransaction {
  // Increments of a preauthorisation and partial reversals of both have changed its amount.
  let changedMinor = 0
  for (const { type, status, referenced_id: referencedId, amount_minor: amountMinor } of transactions) {
    if (status !== 'ACK' || referencedId !== row.id) continue
    if (type === 'RV') changedMinor -= amountMinor ?? 0
    if (type === 'PA') changedMinor += amountMinor ?? 0
  }
  return {
    transactionId: row.id,
    references: referencesOf(row),
    networkTransactionId: resultDetailsOf(row)['CardholderInitiatedTransactionID'],
    amountMinor: row.amount_minor === null ? undefined : row.amount_minor + changedMinor,
  }
}

/** The request of a stored transaction, for its reversal or an inquiry; without `original`. */
export const openRequestOf = (row: TransactionRow): OpenRequest => ({
  transactionId: row.id,
  operation: operationOf(narrow(isPaymentType, row.type)),
  amountMinor: row.amount_minor ?? 0,
  currency: row.currency ?? '',
  brand: row.brand ?? '',
  testMode: narrow(isTestMode, row.test_mode),
  atMs: row.created_at_ms,
})

/** The inquiry about a pending transaction; also used as the request to reverse if the shopper cancels. */
export const inquiryOf = (row: TransactionRow): Inquiry => ({
  ...openRequestOf(row),
  references: referencesOf(row),
})

/** The request to the acquirer for a decided move. */
export function authorisationRequest(
  request: Pick<Head, 'atMs' | 'parameters'> & { readonly reference: ReferenceData },
  go: Pick<Go, 'type' | 'amountMinor'> & { readonly currency: string },
  details: Pick<AcquirerRequest, 'transactionId' | 'brand' | 'testMode' | 'descriptor' | 'partialApproval'> &
    Partial<
      Pick<
        AcquirerRequest,
        | 'account'
        | 'hasStoredAccount'
        | 'redirected'
        | 'createAgreement'
        | 'awaitsResult'
        | 'urls'
        | 'original'
        | 'initialTransactionId'
        | 'offlineApproval'
      >
    >,
): AcquirerRequest {
  const operation = operationOf(go.type)
  // The members are written out, because a spread on this path costs as much as the rest of the request.
  return {
    transactionId: details.transactionId,
    brand: details.brand,
    testMode: details.testMode,
    descriptor: details.descriptor,
    // Only authorisations may be approved in part: a partial capture or refund would be an error, and a partial payout
    // would be a different payout.
    partialApproval: details.partialApproval && (operation === 'PA' || operation === 'DB'),
    account: details.account,
    hasStoredAccount: details.hasStoredAccount,
    redirected: details.redirected,
    createAgreement: details.createAgreement,
    awaitsResult: details.awaitsResult,
    urls: details.urls,
    original: details.original,
    initialTransactionId: details.initialTransactionId,
    offlineApproval: details.offlineApproval,
    operation,
    amountMinor: go.amountMinor,
    currency: go.currency,
    parameters: request.parameters.values,
    secrets: request.parameters.secrets,
    atMs: request.atMs,
  }
}
