import { isPostingKind, type PostingKindName } from '../ledger/posting-kinds.ts'

/** The items of which a batch has totals, as in the reconciliation with an acquirer (ISO 8583, fields 74 to 89). */
export type TotalItem = 'credits' | 'creditReversals' | 'debits' | 'debitReversals'

export interface ItemTotal {
  readonly count: number
  readonly amountMinor: number
}

/** The totals of the transactions of one business day and currency at an acquirer. */
export type BatchTotals = Readonly<Record<TotalItem, ItemTotal>>

/** The item of the transactions of a kind of entry; undefined: they are not cleared. */
const items: Readonly<Record<PostingKindName, TotalItem | undefined>> = {
  hold: undefined,
  release: undefined,
  expiry: undefined,
  capture: 'debits',
  charge: 'debits',
  captureReversal: 'debitReversals',
  chargeReversal: 'debitReversals',
  refund: 'credits',
  refundReturn: undefined,
  refundReturnReversal: undefined,
  chargeback: undefined,
  chargebackReversal: undefined,
  settledSale: undefined,
  settledSaleReversal: undefined,
  settledRefund: undefined,
  settledRefundReturn: undefined,
  settledChargeback: undefined,
  settledChargebackReversal: undefined,
  acquirerFee: undefined,
  acquirerFeeReturn: undefined,
  unmatchedCredit: undefined,
  unmatchedDebit: undefined,
  currencySold: undefined,
  currencyBought: undefined,
  exchangeLoss: undefined,
  exchangeGain: undefined,
  available: undefined,
  availableReversal: undefined,
  reserve: undefined,
  reserveRelease: undefined,
  payout: undefined,
  payoutCancellation: undefined,
  payoutPaid: undefined,
  payoutReturn: undefined,
  merchantCredit: undefined,
  merchantDebit: undefined,
  acquirerCredit: undefined,
  acquirerDebit: undefined,
  bankCharge: undefined,
  bankChargeReversal: undefined,
}

interface DaySum {
  readonly kind: string
  readonly currency: string
  readonly postings: number
  readonly amount_minor: number
}

const nothing: ItemTotal = { count: 0, amountMinor: 0 }
const noTotals: BatchTotals = { credits: nothing, creditReversals: nothing, debits: nothing, debitReversals: nothing }

/** The totals of a day by currency, from the daily sums of the ledger. Currencies with no cleared entry are absent. */
export function batchTotalsOf(sums: Iterable<DaySum>): ReadonlyMap<string, BatchTotals> {
  const totals = new Map<string, BatchTotals>()
  for (const { kind, currency, postings, amount_minor: amountMinor } of sums) {
    const item = isPostingKind(kind) ? items[kind] : undefined
    if (item === undefined) continue
    const before = totals.get(currency) ?? noTotals
    const { count, amountMinor: beforeMinor } = before[item]
    totals.set(currency, { ...before, [item]: { count: count + postings, amountMinor: beforeMinor + amountMinor } })
  }
  return totals
}

/** The amount that the merchant receives; negative if credits exceed debits. Minor units. */
export const netMinorOf = ({ credits, creditReversals, debits, debitReversals }: BatchTotals): number =>
  debits.amountMinor - debitReversals.amountMinor - credits.amountMinor + creditReversals.amountMinor

/**
 * Whether two totals differ at most by reversed transactions. An acquirer also counts requests that were reversed
 * because their answers were lost; here they are declined.
 */
export const areEqualAfterReversals = (a: BatchTotals, b: BatchTotals): boolean =>
  isSame(less(a.debits, a.debitReversals), less(b.debits, b.debitReversals)) &&
  isSame(less(a.credits, a.creditReversals), less(b.credits, b.creditReversals))

const less = (total: ItemTotal, reversals: ItemTotal): ItemTotal => ({
  count: total.count - reversals.count,
  amountMinor: total.amountMinor - reversals.amountMinor,
})

const isSame = (a: ItemTotal, b: ItemTotal): boolean => a.count === b.count && a.amountMinor === b.amountMinor
