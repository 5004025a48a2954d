import type { BrandCode, Echo, PaymentMethod, ResultCode } from '@tollgate/contract'
import type { TestMode, TransactionStatus } from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import type { Channel } from '../directory/channel.ts'
import type { ReferenceData } from '../parameters/reference-data.ts'
import type { Outcome } from './outcome.ts'
import { storedFacts } from './payment-record.ts'

/** The request of a transaction; without reference data for one that the system itself initiates. */
export interface TransactionRequest {
  readonly atMs: number
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
  /** The network's id, if it used or stored account data on file. */
  readonly networkTransactionId?: string | null | undefined
  /** The network's id of the first transaction of an agreement that it is charged under. */
  readonly agreementId?: string | undefined
}

interface RootTransaction extends NewTransaction {
  readonly channel: Channel
  readonly currency?: string | undefined
  readonly brand: BrandCode | null | undefined
  readonly method: PaymentMethod
  /** Whether an account is stored under its id. */
  readonly hasAccount: boolean
  readonly registrationId?: string | undefined
}

interface FollowUpTransaction extends NewTransaction {
  /** undefined: the original. */
  readonly referencedId?: string | undefined
  readonly currency?: string | undefined
  readonly brand?: string | null
  readonly accountId?: string | null | undefined
}

/** The requested test mode; by default that of the in-process simulator. */
export const testModeOf = ({ reference }: TransactionRequest): NonNullable<TestMode> =>
  reference?.testMode ?? 'INTERNAL'

/** The row of the first transaction of a tree. Without a spread, because it is on the path of every payment. */
export function rootTransaction(request: TransactionRequest, made: RootTransaction): TransactionRow {
  return {
    root_id: made.id,
    id: made.id,
    merchant: made.channel.merchant,
    channel: made.channel.id,
    referenced_id: null,
    type: made.type,
    status: made.status,
    amount_minor: made.amountMinor ?? null,
    currency: made.currency ?? null,
    brand: made.brand ?? null,
    method: made.method,
    test_mode: testModeOf(request),
    account_id: made.hasAccount ? made.id : null,
    registration_id: made.registrationId ?? null,
    network_transaction_id: made.networkTransactionId ?? null,
    initial_transaction_id: made.agreementId ?? null,
    merchant_transaction_id: request.reference?.merchantTransactionId ?? null,
    result_code: made.code,
    facts: storedFacts(made.facts, request.reference?.merchantMemo),
    echo: JSON.stringify(made.echo),
    outcome: JSON.stringify(made.outcome),
    created_at_ms: request.atMs,
  }
}

/** The row of a transaction that refers to another one, with the same tree, channel, method and test mode. */
export function followingTransaction(
  request: TransactionRequest,
  original: TransactionRow,
  made: FollowUpTransaction,
): TransactionRow {
  return {
    root_id: original.root_id,
    id: made.id,
    merchant: original.merchant,
    channel: original.channel,
    referenced_id: made.referencedId ?? original.id,
    type: made.type,
    status: made.status,
    amount_minor: made.amountMinor ?? null,
    currency: made.currency ?? original.currency,
    brand: made.brand === undefined ? original.brand : made.brand,
    method: original.method,
    test_mode: original.test_mode,
    account_id: made.accountId ?? original.account_id,
    registration_id: original.registration_id,
    network_transaction_id: made.networkTransactionId ?? null,
    initial_transaction_id: made.agreementId ?? null,
    merchant_transaction_id: request.reference?.merchantTransactionId ?? null,
    result_code: made.code,
    facts: storedFacts(made.facts, request.reference?.merchantMemo),
    echo: JSON.stringify(made.echo),
    outcome: JSON.stringify(made.outcome),
    created_at_ms: request.atMs,
  }
}
