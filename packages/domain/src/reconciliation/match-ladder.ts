import type { SettlementRow } from '../settlement/settlement-row.ts'
import {
  type Candidate,
  type CandidateSearch,
  isSameReference,
  type MatchSubject,
  normaliseReference,
  type ReferenceName,
  type SharedReferenceName,
} from './candidate.ts'
import { adjacentDays, type DayRange, daysOfTransaction, isOnDays, isUndatedDispute, periodOf } from './match-dates.ts'

/** A rule by which a row refers to transactions. */
export interface MatchStep {
  readonly name: string
  /** The search for the transactions; undefined if the row lacks the data of the rule. */
  readonly searchOf: (subject: MatchSubject) => CandidateSearch | undefined
  /** Whether the row refers to a transaction that was found. */
  readonly fits: (subject: MatchSubject, candidate: Candidate) => boolean
  /**
   * Whether the rule is no proof. Several transactions that fit count as none. It is not tried before the ledger has
   * all transactions of the days that it searches: the only one that is found could be the wrong one.
   */
  readonly isWeak: boolean
}

const step = (name: string, searchOf: MatchStep['searchOf'], fits: MatchStep['fits'], isWeak = false): MatchStep => ({
  name,
  searchOf,
  fits,
  isWeak,
})

/** A search by a reference of the row, if it has one. */
const byReference =
  (by: ReferenceName, keyOf: (row: SettlementRow) => string | undefined) =>
  ({ row }: MatchSubject): CandidateSearch | undefined => {
    const key = keyOf(row)
    return key === undefined ? undefined : { by, key, clearingMerchantId: row.clearingMerchantId }
  }

/** A search by a reference that many transactions can have, if the row has it. */
const bySharedReference =
  (by: SharedReferenceName, keyOf: (row: SettlementRow) => string | undefined) =>
  (subject: MatchSubject): CandidateSearch | undefined => {
    const key = keyOf(subject.row)
    if (key === undefined) return undefined
    const { clearingMerchantId } = subject.row
    return { by, key, clearingMerchantId, ...periodOf(daysOfTransaction(subject), subject.timeZone) }
  }

/**
 * The rules in the order of decision: the first one that finds a transaction decides (domain notes, 4.5). The fourth
 * rule of the notes is three rules here, because the ids of transactions, payments and short ids are found differently.
 * So is the third, which is two: only charges of agreements can be found by the network's transaction id, and others
 * among those of their days.
 */
export const matchLadder: readonly MatchStep[] = [
  step(
    'acquirer reference',
    byReference('connectorTxId1', ({ connectorTxId1 }) => normaliseReference(connectorTxId1)),
    ({ row }, candidate) => isSameReference(row.connectorTxId1, candidate.connectorTxId1),
  ),
  step(
    'retrieval reference and approval code',
    byReference('retrievalReference', ({ connectorTxId2, approvalCode }) =>
      normaliseReference(approvalCode) === undefined ? undefined : normaliseReference(connectorTxId2),
    ),
    ({ row }, candidate) =>
      isSameReference(row.connectorTxId2, candidate.retrievalReference) &&
      isSameReference(row.approvalCode, candidate.approvalCode),
  ),
  step(
    'network transaction id and clearing sequence',
    bySharedReference('networkTransactionId', ({ networkTransactionId }) => normaliseReference(networkTransactionId)),
    isSameClearing,
  ),
  step(
    'network transaction id on a day',
    (subject) =>
      normaliseReference(subject.row.networkTransactionId) === undefined
        ? undefined
        : searchDays(subject, daysOfTransaction(subject)),
    isSameClearing,
  ),
  step('transaction id', byReference('id', idIn), ({ row }, { id }) => idIn(row) === id.toLowerCase()),
  step('payment id', byReference('rootId', idIn), ({ row }, { rootId }) => idIn(row) === rootId.toLowerCase()),
  step(
    'short id',
    (subject) => (shortIdIn(subject.row) === undefined ? undefined : searchDays(subject, daysOfTransaction(subject))),
    ({ row }, { shortId }) => shortId !== undefined && shortIdIn(row) === shortId,
  ),
  step(
    'merchant transaction id',
    bySharedReference(
      'merchantTransactionId',
      ({ merchantTransactionId }) => merchantTransactionId?.trim() || undefined,
    ),
    ({ row }, candidate) => isSameReference(row.merchantTransactionId, candidate.merchantTransactionId),
  ),
  step(
    'account and approval code',
    (subject) => (hasAccountAndApproval(subject.row) ? searchDays(subject, daysOfTransaction(subject)) : undefined),
    ({ row }, candidate) =>
      isSameLast4(row, candidate) &&
      isSameBin(row.bin, candidate.bin) &&
      isSameAmount(row, candidate) &&
      isSameReference(row.approvalCode, candidate.approvalCode),
  ),
  step(
    'account and day',
    (subject) => (isPresent(subject.row.last4) ? searchDays(subject, adjacentDays(subject)) : undefined),
    (subject, candidate) =>
      isSameLast4(subject.row, candidate) &&
      isSameAmount(subject.row, candidate) &&
      isOnDays(adjacentDays(subject), subject.timeZone, candidate.createdAtMs),
    true,
  ),
]

/** Whether a row has the network's transaction id of a transaction, and its number among the captures. */
function isSameClearing({ row }: MatchSubject, candidate: Candidate): boolean {
  const { networkTransactionId, clearingSequence } = row
  return (
    isSameReference(networkTransactionId, candidate.networkTransactionId) &&
    (clearingSequence === undefined || clearingSequence === (candidate.clearingSequence ?? 1))
  )
}

/** A search of days; undefined for disputes that do not state the day of their transaction. */
function searchDays(subject: MatchSubject, days: DayRange): CandidateSearch | undefined {
  if (isUndatedDispute(subject)) return undefined
  const { fromMs, untilMs } = periodOf(days, subject.timeZone)
  return { by: 'time', clearingMerchantId: subject.row.clearingMerchantId, fromMs, untilMs }
}

const ID = /^[A-Za-z0-9]{32}$/
const ID_IN_TEXT = /(?<![A-Za-z0-9])[A-Fa-f0-9]{32}(?![A-Za-z0-9])/
const SHORT_ID = /^\d{4}\.\d{4}\.\d{4}$/
const SHORT_ID_IN_TEXT = /(?<![\d.])\d{4}\.\d{4}\.\d{4}(?![\d.])/

/** The id of a payment or transaction in a row: UniqueID, or else one in the descriptor. */
function idIn({ uniqueId, descriptor }: SettlementRow): string | undefined {
  const id = uniqueId?.trim() ?? ''
  return (ID.test(id) ? id : descriptor?.match(ID_IN_TEXT)?.[0])?.toLowerCase()
}

/** The short id in a row: ShortId, or else one in the descriptor. */
function shortIdIn({ shortId, descriptor }: SettlementRow): string | undefined {
  const id = shortId?.trim() ?? ''
  return SHORT_ID.test(id) ? id : descriptor?.match(SHORT_ID_IN_TEXT)?.[0]
}

const isPresent = (text: string | undefined): boolean => text !== undefined && text.trim() !== ''

const hasAccountAndApproval = ({ last4, bin, approvalCode }: SettlementRow): boolean =>
  isPresent(last4) && isPresent(bin) && normaliseReference(approvalCode) !== undefined

/** Leading zeros of digits of an account number count. */
const isSameLast4 = (row: SettlementRow, { last4 }: Candidate): boolean =>
  isPresent(row.last4) && row.last4?.trim().toUpperCase() === last4?.toUpperCase()

/** Whether two issuers' numbers, of 6 to 8 digits, begin with the same digits. */
function isSameBin(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false
  const length = Math.min(one.trim().length, other.length)
  return length >= 6 && one.trim().slice(0, length) === other.slice(0, length)
}

const isSameAmount = (row: SettlementRow, { amountMinor, currency }: Candidate): boolean =>
  row.amountMinor === amountMinor && row.currency === currency
