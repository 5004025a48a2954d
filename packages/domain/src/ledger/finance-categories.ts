import { accounts } from './accounts.ts'
import type { Movement, PostingKindName } from './posting-kinds.ts'

/** What a movement is for finance staff: kinds of entries that are one cause of money have one category. */
export type FinanceCategory =
  | 'hold'
  | 'charge'
  | 'chargeReversal'
  | 'refund'
  | 'refundFailure'
  | 'dispute'
  | 'disputeReversal'
  | 'fee'
  | 'settlement'
  | 'acquirerFee'
  | 'suspense'
  | 'exchange'
  | 'availability'
  | 'reserve'
  | 'payout'
  | 'payoutReversal'
  | 'adjustment'
  | 'bankCharge'

const categories: Readonly<Record<PostingKindName, FinanceCategory>> = {
  hold: 'hold',
  release: 'hold',
  expiry: 'hold',
  capture: 'charge',
  charge: 'charge',
  captureReversal: 'chargeReversal',
  chargeReversal: 'chargeReversal',
  refund: 'refund',
  refundReturn: 'refundFailure',
  refundReturnReversal: 'refundFailure',
  chargeback: 'dispute',
  chargebackReversal: 'disputeReversal',
  settledSale: 'settlement',
  settledSaleReversal: 'settlement',
  settledRefund: 'settlement',
  settledRefundReturn: 'settlement',
  settledChargeback: 'settlement',
  settledChargebackReversal: 'settlement',
  acquirerFee: 'acquirerFee',
  acquirerFeeReturn: 'acquirerFee',
  unmatchedCredit: 'suspense',
  unmatchedDebit: 'suspense',
  currencySold: 'exchange',
  currencyBought: 'exchange',
  exchangeLoss: 'exchange',
  exchangeGain: 'exchange',
  available: 'availability',
  availableReversal: 'availability',
  reserve: 'reserve',
  reserveRelease: 'reserve',
  payout: 'payout',
  payoutCancellation: 'payoutReversal',
  payoutPaid: 'payout',
  payoutReturn: 'payoutReversal',
  merchantCredit: 'adjustment',
  merchantDebit: 'adjustment',
  acquirerCredit: 'settlement',
  acquirerDebit: 'settlement',
  bankCharge: 'bankCharge',
  bankChargeReversal: 'bankCharge',
}

/**
 * The category of an entry or of one of its movements. The fee of an entry, and the part of a capture that ends a hold,
 * are movements of other categories than their entry, so that the movements of a category add up.
 *
 * @param movement undefined: the category of the entry
 */
export function financeCategoryOf(kind: PostingKindName, movement?: Movement): FinanceCategory {
  if (movement?.of === 'fee') return 'fee'
  return movement && accounts[movement.debit].class === 'memo' ? 'hold' : categories[kind]
}
