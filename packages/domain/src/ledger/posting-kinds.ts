import type { AccountName } from './accounts.ts'
import type { FeeKind } from './fee-plan.ts'

/** A movement between two accounts. */
export interface Movement {
  readonly debit: AccountName
  readonly credit: AccountName
  /** The moved amount: that of the entry, or its fee. */
  readonly of: 'amount' | 'fee'
}

interface PostingKind {
  /** The fee that the merchant pays for the operation; none if absent. */
  readonly fee?: FeeKind
  readonly movements: readonly Movement[]
}

/**
 * The kinds of entries and their movements. An entry is stored with its kind, amount and fee; its debits and credits
 * follow from this table, so they are equal in every entry. A kind that was used is never changed: entries of the past
 * would change with it.
 */
const declared = {
  /** A preauthorisation or an increment. */
  hold: {
    fee: 'authorisation',
    movements: [move('authorisationHold', 'authorisationContra'), fee('merchantPending')],
  },
  /** The reversal of a hold, or of a part of it. */
  release: {
    fee: 'cancellation',
    movements: [move('authorisationContra', 'authorisationHold'), fee('merchantPending')],
  },
  /** The end of a hold without a request of the merchant: it has expired, or the last capture was less. */
  expiry: { movements: [move('authorisationContra', 'authorisationHold')] },
  capture: {
    fee: 'capture',
    movements: [
      move('acquirerReceivable', 'merchantPending'),
      move('authorisationContra', 'authorisationHold'),
      fee('merchantPending'),
    ],
  },
  /** A debit, rebill or receipt: a charge without a hold. */
  charge: { fee: 'capture', movements: [move('acquirerReceivable', 'merchantPending'), fee('merchantPending')] },
  /** The reversal of a capture; its amount is held again. */
  captureReversal: {
    fee: 'cancellation',
    movements: [
      move('merchantPending', 'acquirerReceivable'),
      move('authorisationHold', 'authorisationContra'),
      fee('merchantPending'),
    ],
  },
  /** The reversal of a charge, or of a capture whose hold was closed. */
  chargeReversal: {
    fee: 'cancellation',
    movements: [move('merchantPending', 'acquirerReceivable'), fee('merchantPending')],
  },
  /** A refund, or a credit to a shopper. */
  refund: { fee: 'refund', movements: [move('merchantAvailable', 'refundTransit'), fee('merchantAvailable')] },
  /** A refund that the shopper's bank has returned. */
  refundReturn: { movements: [move('refundTransit', 'merchantAvailable')] },
  /** The reversal of such a return. */
  refundReturnReversal: { movements: [move('merchantAvailable', 'refundTransit')] },
  chargeback: {
    fee: 'dispute',
    movements: [move('merchantAvailable', 'acquirerReceivable'), fee('merchantAvailable')],
  },
  chargebackReversal: { movements: [move('acquirerReceivable', 'merchantAvailable')] },
  // Kinds of settled rows. Fees of acquirers are entries of their own: the fee of an entry is one that a merchant pays.
  settledSale: { movements: [move('bank', 'acquirerReceivable')] },
  /** The reversal of a sale that was settled before. */
  settledSaleReversal: { movements: [move('acquirerReceivable', 'bank')] },
  settledRefund: { movements: [move('refundTransit', 'bank')] },
  settledRefundReturn: { movements: [move('bank', 'refundTransit')] },
  settledChargeback: { movements: [move('acquirerReceivable', 'bank')] },
  settledChargebackReversal: { movements: [move('bank', 'acquirerReceivable')] },
  acquirerFee: { movements: [move('acquirerFee', 'bank')] },
  acquirerFeeReturn: { movements: [move('bank', 'acquirerFee')] },
  /** A row or bank entry that nothing explains, in favour of the operator. */
  unmatchedCredit: { movements: [move('bank', 'suspenseUnmatched')] },
  unmatchedDebit: { movements: [move('suspenseUnmatched', 'bank')] },
  // A conversion is an entry in each currency: one is sold and the other one is bought.
  currencySold: { movements: [move('fxClearing', 'bank')] },
  currencyBought: { movements: [move('bank', 'fxClearing')] },
  /** What the bank has received less, or paid more, than the amount at the stated rate. */
  exchangeLoss: { movements: [move('fxDifference', 'bank')] },
  exchangeGain: { movements: [move('bank', 'fxDifference')] },
  // Kinds of the accounts of merchants.
  /** The pending funds of business days whose value date has come, of one acquirer. */
  available: { movements: [move('merchantPending', 'merchantAvailable')] },
  /** The same of days whose fees and reversals exceed their charges. */
  availableReversal: { movements: [move('merchantAvailable', 'merchantPending')] },
  /** The part of available funds that is withheld, and its release. */
  reserve: { movements: [move('merchantAvailable', 'merchantReserve')] },
  reserveRelease: { movements: [move('merchantReserve', 'merchantAvailable')] },
  /** The instruction to pay a merchant. */
  payout: { movements: [move('merchantAvailable', 'payoutTransit')] },
  payoutCancellation: { movements: [move('payoutTransit', 'merchantAvailable')] },
  /** A payout that the statement of the bank confirms. */
  payoutPaid: { movements: [move('payoutTransit', 'bank')] },
  /** A confirmed payout that the bank of the merchant has sent back. */
  payoutReturn: { movements: [move('bank', 'merchantAvailable')] },
  // Kinds of bank entries that an operator assigns.
  merchantCredit: { movements: [move('bank', 'merchantAvailable')] },
  merchantDebit: { movements: [move('merchantAvailable', 'bank')] },
  acquirerCredit: { movements: [move('bank', 'acquirerReceivable')] },
  acquirerDebit: { movements: [move('acquirerReceivable', 'bank')] },
  bankCharge: { movements: [move('bankCharges', 'bank')] },
  bankChargeReversal: { movements: [move('bank', 'bankCharges')] },
} satisfies Record<string, PostingKind>

export type PostingKindName = keyof typeof declared

export const postingKinds: Readonly<Record<PostingKindName, PostingKind>> = declared

/** Whether a text is the name of a kind. */
export const isPostingKind = (name: string): name is PostingKindName => Object.hasOwn(declared, name)

function move(debit: AccountName, credit: AccountName): Movement {
  return { debit, credit, of: 'amount' }
}

function fee(debit: AccountName): Movement {
  return { debit, credit: 'feeIncome', of: 'fee' }
}
