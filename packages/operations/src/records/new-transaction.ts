import type { BrandCode, Echo, PaymentMethod, ResultCode } from '@tollgate/contract'
import type { TestMode, TransactionStatus } from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import type { Channel } from '../directory/channel.ts'
import type { ReferenceData } from '../parameters/reference-data.ts'
import type { Outcome } from './outcome.ts'
import { storedFacts } from './payment-record.ts'

/** The request of a transaction. */
export interface TransactionRequest {
  readonly atMs: number
  /** undefined for a deregistration that the system initiates. */
  readonly reference?: ReferenceData
}

/** The fields of every new transaction. */
interface NewTransaction {
  readonly id: string
  readonly type: string
  readonly status: TransactionStatus
  readonly code: ResultCode
  /** undefined or null: there is no amount, or the sent amount does not fit its currency. */
  readonly amountMinor?: number | null | undefined
  /** Facts to store, including the target of its notifications. */
  readonly facts: object
  readonly echo: Echo
  readonly outcome: Outcome
  /** The network transaction id, if the transaction used or stored account data on file. */
  readonly networkTransactionId?: string | null | undefined
  /** The network transaction id of the first transaction of the agreement that is charged. */
  readonly agreementId?: string | undefined
}

interface RootTransaction extends NewTransaction {
  readonly channel: Channel
  readonly currency?: string | undefined
  readonly brand: BrandCode | null | undefined
  readonly method: PaymentMethod
  /** Whether an account is stored under the id of the transaction. */
  readonly hasAccount: boolean
  readonly registrationId?: string | undefined
}

interface FollowUpTransaction extends NewTransaction {
  /** undefined: the original transaction. */
  readonly referencedId?: string | undefined
  readonly currency?: string | undefined
  readonly brand?: string | null
  readonly accountId?: string | null | undefined
}

/** The requested test mode, by default that of the simulators; null in the live environment. */
export const testModeOf = (
  { reference }: TransactionRequest,
  { environment }: Pick<Channel, 'environment'>,
): TestMode => (environment === 'live' ? null : (reference?.testMode ?? 'INTERNAL'))

/** The row of the first transaction of a tree. It is created without a spread, because every payment creates one. */
export function rootTransaction(request: TransactionRequest, fields: RootTransaction): TransactionRow {
  return {
    root_id: fields.id,
    id: fields.id,
    merchant: fields.channel.merchant,
    channel: fields.channel.id,
    referenced_id: null,
    type: fields.type,
    status: fields.status,
    amount_minor: fields.amountMinor ?? null,
    currency: fields.currency ?? null,
    brand: fields.brand ?? null,
    method: fields.method,
    test_mode: testModeOf(request, fields.channel),
    account_id: fields.hasAccount ? fields.id : null,
    registration_id: fields.registrationId ?? null,
    network_transaction_id: fields.networkTransactionId ?? null,
    initial_transaction_id: fields.agreementId ?? null,
    merchant_transaction_id: request.reference?.merchantTransactionId ?? null,
    result_code: fields.code,
    facts: storedFacts(fields.facts, request.reference?.merchantMemo),
    echo: JSON.stringify(fields.echo),
    outcome: JSON.stringify(fields.outcome),
    created_at_ms: request.atMs,
  }
}

/** The row of a transaction that refers to another transaction, with the same tree, channel, method and test mode. */
export function followUpTransaction(
  request: TransactionRequest,
  original: TransactionRow,
  fields: FollowUpTransaction,
): TransactionRow {
  return {
    root_id: original.root_id,
    id: fields.id,
    merchant: original.merchant,
    channel: original.channel,
    referenced_id: fields.referencedId ?? original.id,
    type: fields.type,
    status: fields.status,
    amount_minor: fields.amountMinor ?? null,
    currency: fields.currency ?? original.currency,
    brand: fields.brand === undefined ? original.brand : fields.brand,
    method: original.method,
    test_mode: original.test_mode,
    account_id: fields.accountId ?? original.account_id,
    registration_id: original.registration_id,
    network_transaction_id: fields.networkTransactionId ?? null,
    initial_transaction_id: fields.agreementId ?? null,
    merchant_transaction_id: request.reference?.merchantTransactionId ?? null,
    result_code: fields.code,
    facts: storedFacts(fields.facts, request.reference?.merchantMemo),
    echo: JSON.stringify(fields.echo),
    outcome: JSON.stringify(fields.outcome),
    created_at_ms: request.atMs,
  }
}
