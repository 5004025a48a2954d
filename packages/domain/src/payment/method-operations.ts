import { type BrandCode, type BrandKind, brands, type ResultCode } from '@tollgate/contract'
import { type Refused, refused } from '../guard.ts'
import type { PaymentType } from './transaction.ts'

/** Groups of payment methods that can do the same. */
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
 * Operations of connectors. `register` stores an account by itself; `agree` stores it along with a payment
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
  'agree',
] as const

export type MethodOperation = (typeof methodOperations)[number]

const no = (reason: string, code: ResultCode = '600.200.310'): Refused => refused(code, reason)

/** "Incremental: open PA, capability" (domain notes, transition table). */
const noIncrease = no('this payment method cannot increase a held amount', '700.100.700')
const noCredit = no('this payment method has no payouts: send paymentType PA or DB')
const noHold = no('this payment method holds no amount back: send paymentType DB')
const nothingHeld = no('this payment method holds no amount back: there is nothing to capture or release')
const noReversal = no('this payment method cannot reverse a paid amount: refund it')
const noRefund = no('this payment method cannot be refunded: pay the amount back by a credit transfer')
const noRebill = no('this payment method is charged by the shopper alone: begin another payment')
const noRegister = no('the shopper has to agree on the page of the provider: send createRegistration with a payment')
const noAgreement = no('this payment method has no account or agreement that could be charged again')

const withoutHold = {
  preauthorise: noHold,
  capture: nothingHeld,
  increase: noIncrease,
  reverseHold: nothingHeld,
} as const

/** A redirect payment takes the money once, when the shopper confirms it at the provider. */
const once = { credit: noCredit, rebill: noRebill, register: noAgreement, agree: noAgreement } as const

type Refusals = Readonly<Partial<Record<MethodOperation, Refused>>>

/** The operations that each group does not have, for all connectors; they are refused before anything is sent. */
const refusals: Readonly<Record<MethodGroup, Refusals>> = {
  card: {},
  encryptedCard: {
    rebill: no('the acquirer alone knows the number of the card: it is not stored here', '700.500.004'),
    register: no('a card that a terminal encrypted cannot be stored: send card.number to register it', '100.150.100'),
    agree: no('a card that a terminal encrypted cannot be stored: send card.number to register it', '100.150.100'),
  },
  bankAccount: { ...withoutHold, preauthorise: no('a bank account holds no amount back: send paymentType DB or CD') },
  virtualAccount: {},
  giftCard: { increase: noIncrease },
  redirectAccount: { credit: noCredit, rebill: noRebill, register: noRegister },
  redirectWallet: { ...once, increase: noIncrease },
  redirectCredit: { ...once, increase: noIncrease },
  redirectTransfer: { ...once, ...withoutHold, reverseCharge: noReversal },
  redirectPrepayment: {
    ...once,
    capture: no('the money of a prepayment is received (RC), not captured'),
    increase: noIncrease,
    reverseCharge: noReversal,
  },
  redirectVoucher: { ...once, ...withoutHold, reverseCharge: noReversal, refund: noRefund },
}

/** Brands whose account is charged without a redirect. */
const directGroups: Readonly<Record<BrandKind, MethodGroup>> = {
  card: 'card',
  wallet: 'card',
  directDebit: 'bankAccount',
  onlineTransfer: 'bankAccount',
  virtualAccount: 'virtualAccount',
  giftCard: 'giftCard',
  // No connector supports these without a redirect: the strictest row of the direct ones.
  invoice: 'bankAccount',
  prepayment: 'bankAccount',
  voucher: 'bankAccount',
  other: 'bankAccount',
}

/** Brands whose shopper confirms on a page of the provider. */
const redirectGroups: Readonly<Record<BrandKind, MethodGroup>> = {
  virtualAccount: 'redirectWallet',
  wallet: 'redirectWallet',
  invoice: 'redirectCredit',
  onlineTransfer: 'redirectTransfer',
  prepayment: 'redirectPrepayment',
  voucher: 'redirectVoucher',
  // No brand of these has a redirect.
  card: 'redirectVoucher',
  directDebit: 'redirectVoucher',
  giftCard: 'redirectVoucher',
  other: 'redirectVoucher',
}

/** Redirect brands that differ from the others of their kind. */
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
  /** undefined: not known, as a card. */
  readonly brand?: BrandCode | null | undefined
  /** Whether the shopper confirms it on a page of the provider. */
  readonly redirected?: boolean | undefined
  /** Whether a terminal has encrypted the card for the acquirer alone. */
  readonly encrypted?: boolean | undefined
}

/** The group that a payment is in, by its brand and how that is paid. */
export function methodGroupOf({ brand, redirected = false, encrypted = false }: MethodUse): MethodGroup {
  if (!brand) return 'card'
  const { kind } = brands[brand]
  if (redirected) return exceptions[brand] ?? redirectGroups[kind]
  const group = directGroups[kind]
  return group === 'card' && encrypted ? 'encryptedCard' : group
}

/** Why the group cannot do it; undefined if it can. */
export const methodRefusal = (group: MethodGroup, operation: MethodOperation): Refused | undefined =>
  refusals[group][operation]

const beginnings: Readonly<Record<PaymentType, MethodOperation | undefined>> = {
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
 * @param referenced the type that it refers to; undefined where it begins a payment
 * @returns undefined for records (CB, CR, RC)
 */
export function methodOperationOf(type: PaymentType, referenced?: PaymentType): MethodOperation | undefined {
  if (referenced !== 'PA') return beginnings[type]
  if (type === 'PA') return 'increase'
  return type === 'RV' ? 'reverseHold' : beginnings[type]
}
