import { isCurrency } from '@tollgate/contract'
import type { Candidate, MatchSubject } from './candidate.ts'
import { convertedMinor, isAtMost, isWithinTolerance } from './converted-amount.ts'
import { daysOfTransaction, isOnDays } from './match-dates.ts'
import { matchedKindOf, transactionTypesOf } from './record-type.ts'

/** A reason for which a row is not matched, for people. */
export type MismatchReason = keyof typeof mismatchReasons

/** The reasons in the order of their precedence: of several transactions, the last reason is reported. */
export const mismatchReasons = {
  noReference: 'the row refers to no transaction',
  noTransaction: 'no transaction of the merchant has the references or data of the row',
  otherType: 'the transaction is of another type',
  outsideDates: 'the transaction was made too long before the row, or after it',
  otherCurrency: 'the transaction is in another currency, and the row states no rate',
  amountDiffers: 'the amount differs',
  notReversed: 'the row takes a settlement back, and the transaction is not reversed',
  alreadyMatched: 'the transaction is matched to another row',
  ledgerIncomplete: 'the ledger lacks transactions of the days of the row; the row is matched again within an hour',
  ambiguous: 'several transactions have the account, amount and day of the row, or too many are to be compared',
} as const

/** Whether a text, such as a stored one, is the name of a reason. */
export const isMismatchReason = (text: string): text is MismatchReason => Object.hasOwn(mismatchReasons, text)

/** A condition for a transaction to which a row refers. */
export interface MatchCondition {
  /** The reason if it does not hold. */
  readonly reason: MismatchReason
  readonly holds: (subject: MatchSubject, candidate: Candidate) => boolean
  /** Whether the transaction is probably the one that is meant, so that no weak rule may find another one. */
  readonly isConflict: boolean
}

const condition = (reason: MismatchReason, holds: MatchCondition['holds']): MatchCondition => ({
  reason,
  holds,
  isConflict: false,
})
const conflict = (reason: MismatchReason, holds: MatchCondition['holds']): MatchCondition => ({
  reason,
  holds,
  isConflict: true,
})

/** The conditions in their order (domain notes, 4.5). The first one that does not hold is the reason. */
export const matchConditions: readonly MatchCondition[] = [
  condition('noTransaction', ({ row }, { clearingMerchantId }) => row.clearingMerchantId === clearingMerchantId),
  condition('otherType', ({ row }, { type }) => transactionTypesOf(row).includes(type)),
  condition('outsideDates', (subject, { createdAtMs }) =>
    isOnDays(daysOfTransaction(subject), subject.timeZone, createdAtMs),
  ),
  conflict(
    'otherCurrency',
    ({ row }, { currency }) =>
      row.currency === currency || (row.currency === row.settlementCurrency && row.fxRate !== undefined),
  ),
  conflict('amountDiffers', fitsAmount),
  conflict('notReversed', ({ row }, { isReversed }) => matchedKindOf(row) !== 'SETTLEMENT REVERSAL' || isReversed),
  // A failed settlement may be read or matched after the next attempt, which it does not contradict.
  conflict(
    'alreadyMatched',
    ({ row }, { matchedKinds }) => row.status === 'FAILED' || !matchedKinds.includes(matchedKindOf(row)),
  ),
]

/** The conditions that also hold for a match by an operator, who may know more than dates and references show. */
const conditionsByHand = ['otherType', 'otherCurrency', 'amountDiffers', 'alreadyMatched'] as const

/** A reason for which an operator cannot match a row with a transaction. */
export type MismatchByHand = (typeof conditionsByHand)[number]

/**
 * The reason for which an operator cannot match a row with a transaction; undefined: they can.
 *
 * @param mayAmountDiffer whether the operator has confirmed a differing amount
 */
export const mismatchByHand = (
  subject: MatchSubject,
  candidate: Candidate,
  mayAmountDiffer: boolean,
): MismatchByHand | undefined =>
  conditionsByHand.find(
    (name) =>
      !(mayAmountDiffer && name === 'amountDiffers') &&
      matchConditions.some(({ reason, holds }) => reason === name && !holds(subject, candidate)),
  )

/**
 * "Amount tolerance 0 for same currency; for FX compare settlement = round(amount*rate) within 1 minor unit or 0.5%"
 * (domain notes, 4.5). The amount of a chargeback or its reversal may be lower, because a part can be disputed.
 */
function fitsAmount({ row }: MatchSubject, candidate: Candidate): boolean {
  const isDispute = row.kind !== 'SETTLED'
  if (row.currency === candidate.currency) {
    return isDispute ? row.amountMinor <= candidate.amountMinor : row.amountMinor === candidate.amountMinor
  }
  const expectedMinor = expectedSettlementMinor({ row }, candidate)
  if (expectedMinor === undefined) return false
  return (isDispute ? isAtMost : isWithinTolerance)(row.settlementAmountMinor, expectedMinor)
}

/** The amount of a transaction in the currency of settlement, by the rate of the row. */
function expectedSettlementMinor(
  { row: { fxRate, settlementCurrency } }: Pick<MatchSubject, 'row'>,
  { amountMinor, currency }: Candidate,
): number | undefined {
  if (fxRate === undefined || !isCurrency(currency) || !isCurrency(settlementCurrency)) return undefined
  return convertedMinor({ minor: amountMinor, currency }, fxRate, settlementCurrency)
}
