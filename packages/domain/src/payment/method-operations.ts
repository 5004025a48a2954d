import { type BrandCode, type BrandKind, brands, type ResultCode } from '@tollgate/contract'
import { type Refused, refused } from '../guard.ts'
import type { PaymentType } from './transaction.ts'

/** Groups of payment methods that support the same operations. */
export const methodGroups = [
  'card',
  'encryptedCard',
  'bankAccount',
  'virtualAccount',
  'giftCard',
  'redirectAccount',
  'redirectWallet',
  'redirectCredit',
  'redirectTransfer',
  'redirectPrepayment',
  'redirectVoucher',
] as const

export type MethodGroup = (typeof methodGroups)[number]

/**
 * Operations of connectors. `register` stores an account by itself, `registerWithPayment` with a payment
 * (createRegistration=true). Records of external events (CB, CR, RC) are not among them.
 */
export const methodOperations = [
  'preauthorise',
  'debit',
  'credit',
  'capture',
  'increase',
  'reverseHold',
  'reverseCharge',
  'refund',
  'rebill',
  'register',
  'registerWithPayment',
] as const

export type MethodOperation = (typeof methodOperations)[number]

const refusal = (reason: string, code: ResultCode = '600.200.310'): Refused => refused(code, reason)

/** "Incremental: open PA, capability" (domain notes, transition table). */
const noIncrease = refusal('this payment method cannot increase a held amount', '700.100.700')
const noCredit = refusal('this payment method has no payouts: send paymentType PA or DB')
const noHold = refusal('this payment method holds no amount back: send paymentType DB')
const noHeldAmount = refusal('this payment method holds no amount back: there is nothing to capture or release')
const noReversal = refusal('this payment method cannot reverse a paid amount: refund it')
const noVoucherReversal = refusal('this payment method cannot reverse a paid amount: pay it back by a credit transfer')
const noRefund = refusal('this payment method cannot be refunded: pay the amount back by a credit transfer')
const noRebill = refusal('only the shopper can start a charge with this payment method: begin another payment')
const noRegister = refusal(
  'the shopper has to agree on the page of the provider: send createRegistration with a payment',
)
const noAgreement = refusal('this payment method has no account or agreement that could be charged again')
const noEncryptedCard = refusal(
  'a card that a terminal encrypted cannot be stored: send card.number to register it',
  '100.150.100',
)

const withoutHold = {
  preauthorise: noHold,
  capture: noHeldAmount,
  increase: noIncrease,
  reverseHold: noHeldAmount,
} as const

/** Methods without payouts and stored accounts: the shopper confirms each payment on the page of the provider. */
const singleCharge = {
  credit: noCredit,
  rebill: noRebill,
  register: noAgreement,
  registerWithPayment: noAgreement,
} as const

type Refusals = Readonly<Partial<Record<MethodOperation, Refused>>>

/** The refusals of the operations that a group does not support. They are the same for all connectors. */
const refusals: Readonly<Record<MethodGroup, Refusals>> = {
  card: {},
  encryptedCard: {
    rebill: refusal('only the acquirer can decrypt the number of the card: it is not stored here', '700.500.004'),
    register: noEncryptedCard,
    registerWithPayment: noEncryptedCard,
  },
  bankAccount: {
    ...withoutHold,
    preauthorise: refusal('a bank account holds no amount back: send paymentType DB or CD'),
  },
  virtualAccount: {},
  giftCard: { increase: noIncrease },
  redirectAccount: { credit: noCredit, rebill: noRebill, register: noRegister },
  redirectWallet: { ...singleCharge, increase: noIncrease },
  redirectCredit: { ...singleCharge, increase: noIncrease },
  redirectTransfer: { ...singleCharge, ...withoutHold, reverseCharge: noReversal },
  redirectPrepayment: {
    ...singleCharge,
    capture: refusal('the money of a prepayment is received (RC), not captured'),
    increase: noIncrease,
    reverseCharge: noReversal,
  },
  redirectVoucher: { ...singleCharge, ...withoutHold, reverseCharge: noVoucherReversal, refund: noRefund },
}

/** Groups of brands whose account is charged without a redirect. */
const directGroups: Readonly<Record<BrandKind, MethodGroup>> = {
  card: 'card',
  wallet: 'card',
  directDebit: 'bankAccount',
  onlineTransfer: 'bankAccount',
  virtualAccount: 'virtualAccount',
  giftCard: 'giftCard',
  // No connector supports these kinds without a redirect: they have the strictest of the direct groups.
  invoice: 'bankAccount',
  prepayment: 'bankAccount',
  voucher: 'bankAccount',
  other: 'bankAccount',
}

/** Groups of brands whose shopper confirms on a page of the provider. */
const redirectGroups: Readonly<Record<BrandKind, MethodGroup>> = {
  virtualAccount: 'redirectWallet',
  wallet: 'redirectWallet',
  invoice: 'redirectCredit',
  onlineTransfer: 'redirectTransfer',
  prepayment: 'redirectPrepayment',
  voucher: 'redirectVoucher',
  // No brand of these kinds has a redirect.
  card: 'redirectVoucher',
  directDebit: 'redirectVoucher',
  giftCard: 'redirectVoucher',
  other: 'redirectVoucher',
}

/** Redirect brands that differ from other brands of their kind. */
const exceptions: Readonly<Partial<Record<BrandCode, MethodGroup>>> = {
  PAYPAL: 'redirectAccount',
  PAYPAL_CONTINUE: 'redirectAccount',
  MONEYBOOKERS: 'redirectAccount',
  ALIPAY: 'redirectAccount',
  MASTERPASS: 'redirectAccount',
  BITCOIN: 'redirectTransfer',
}

/** The facts that decide the group of a payment. */
export interface MethodUse {
  /** undefined or null: unknown, treated as a card. */
  readonly brand?: BrandCode | null | undefined
  /** Whether a bank or wallet processes the payment: on its page, or under an agreement that the shopper made there. */
  readonly redirected?: boolean | undefined
  /** Whether a terminal has encrypted the card for the acquirer alone. */
  readonly encrypted?: boolean | undefined
}

/** The group of a payment. */
export function methodGroupOf({ brand, redirected = false, encrypted = false }: MethodUse): MethodGroup {
  if (!brand) return 'card'
  const { kind } = brands[brand]
  if (redirected) return exceptions[brand] ?? redirectGroups[kind]
  const group = directGroups[kind]
  return group === 'card' && encrypted ? 'encryptedCard' : group
}

/** The refusal of an operation; undefined if the group supports it. */
export const methodRefusal = (group: MethodGroup, operation: MethodOperation): Refused | undefined =>
  refusals[group][operation]

const operationsByType: Readonly<Record<PaymentType, MethodOperation | undefined>> = {
  PA: 'preauthorise',
  DB: 'debit',
  CD: 'credit',
  CP: 'capture',
  RV: 'reverseCharge',
  RF: 'refund',
  RB: 'rebill',
  CB: undefined,
  CR: undefined,
  RC: undefined,
}

/**
 * The connector's operation for a payment type.
 *
 * @param referenced type of the referenced transaction; undefined if the operation begins a payment
 * @returns undefined for records (CB, CR, RC)
 */
export function methodOperationOf(type: PaymentType, referenced?: PaymentType): MethodOperation | undefined {
  if (referenced !== 'PA') return operationsByType[type]
  if (type === 'PA') return 'increase'
  return type === 'RV' ? 'reverseHold' : operationsByType[type]
}
