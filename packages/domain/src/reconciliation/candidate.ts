import type { PaymentType } from '../payment/transaction.ts'
import type { SettlementRow } from '../settlement/settlement-row.ts'
import type { MatchedKind } from './record-type.ts'

/** An approved transaction that a row of a settlement file may settle. An absent member is unknown. */
export interface Candidate {
  readonly id: string
  readonly rootId: string
  /** The merchant's id at the clearing institute. */
  readonly clearingMerchantId: string
  readonly type: PaymentType
  readonly amountMinor: number
  readonly currency: string
  readonly connectorTxId1?: string | undefined
  readonly retrievalReference?: string | undefined
  readonly approvalCode?: string | undefined
  readonly networkTransactionId?: string | undefined
  /** The sequence number of a capture among the captures of its authorisation, from 1. */
  readonly clearingSequence?: number | undefined
  readonly shortId?: string | undefined
  readonly merchantTransactionId?: string | undefined
  readonly bin?: string | undefined
  readonly last4?: string | undefined
  readonly terminalId?: string | undefined
  readonly createdAtMs: number
  /** Whether an approved reversal (RV) refers to the transaction. */
  readonly isReversed: boolean
  /**
   * Kinds of the successful rows that are matched to the transaction and stand. A chargeback and its reversal no longer
   * stand once both are matched, because networks permit a second chargeback after a reversal.
   */
  readonly matchedKinds: readonly MatchedKind[]
}

/** A row to be matched. */
export interface MatchSubject {
  readonly row: SettlementRow
  /** The time zone of the institute (IANA). */
  readonly timeZone: string
}

/** The stored references by which transactions are found. */
export type ReferenceName = 'connectorTxId1' | 'retrievalReference' | 'id' | 'rootId'

/** The references that many transactions can have: charges of an agreement, and payments of merchants that count. */
export type SharedReferenceName = 'networkTransactionId' | 'merchantTransactionId'

/** A period of epoch milliseconds, `untilMs` excluded. */
interface Period {
  readonly fromMs: number
  readonly untilMs: number
}

/**
 * A search for candidates: approved transactions of the merchant at the institute by a reference, or all of a period.
 * By a shared reference, those of other periods may be lacking if there are many. Keys of `connectorTxId1`,
 * `retrievalReference` and `networkTransactionId` are normalised like `normaliseReference`, and so must be the stored
 * references. Ids are in lower case; a `merchantTransactionId` is as in the file, without surrounding blanks.
 */
export type CandidateSearch = { readonly clearingMerchantId: string } & (
  | { readonly by: ReferenceName; readonly key: string }
  | ({ readonly by: SharedReferenceName; readonly key: string } & Period)
  | ({ readonly by: 'time' } & Period)
)

/**
 * A reference as it is compared: in upper case, without surrounding blanks and leading zeros (domain notes, 4.5);
 * undefined if nothing remains.
 */
export function normaliseReference(text: string | undefined): string | undefined {
  const normalised = text?.trim().toUpperCase().replace(/^0+/, '')
  return normalised === '' ? undefined : normalised
}

/** Whether two references are present and the same. */
export function isSameReference(one: string | undefined, other: string | undefined): boolean {
  const reference = normaliseReference(one)
  return reference !== undefined && reference === normaliseReference(other)
}
