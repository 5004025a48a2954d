import type { BrandCode, CurrencyCode } from '@tollgate/contract'
import type { PaymentType } from '../payment/transaction.ts'
import { partOf } from './part-of.ts'

/** The operations for which a merchant pays a fee. */
export const feeKinds = ['authorisation', 'capture', 'cancellation', 'refund', 'dispute'] as const
export type FeeKind = (typeof feeKinds)[number]

/** The price of an operation: the percentage of the amount and the fixed amount, within the bounds. */
export interface FeePrice {
  /** In millionths of the amount: 12,500 is 1.25 %. */
  readonly millionths: number
  readonly fixedMinor: number
  readonly minimumMinor: number
  /** The highest fee; absent: no bound. */
  readonly maximumMinor?: number | undefined
}

/** A price for transactions from an amount on. */
export interface FeeTier extends FeePrice {
  readonly fromMinor: number
}

/** A fee for operations with these traits; an absent trait matches any. */
export interface Fee {
  readonly kind: FeeKind
  readonly types?: readonly PaymentType[] | undefined
  readonly brands?: readonly BrandCode[] | undefined
  readonly currency?: CurrencyCode | undefined
  /** In the order of `fromMinor`, the first from 0. The highest tier that the amount reaches determines the price. */
  readonly tiers: readonly FeeTier[]
}

/** The fees of a merchant. The first fee that matches an operation applies. */
export interface FeePlan {
  readonly fees: readonly Fee[]
}

/** An operation for which a fee may be due. Amounts are in minor units. */
export interface ChargedOperation {
  readonly kind: FeeKind
  readonly type: PaymentType
  readonly brand: BrandCode | null
  readonly currency: CurrencyCode
  readonly amountMinor: number
}

/**
 * The fee of an operation in minor units, rounded half up.
 *
 * Tiers depend on the amount of the transaction and not on the volume of a period: the fee of a transaction is then the
 * same whenever it is computed, in whatever order.
 */
export function feeMinorOf(plan: FeePlan | undefined, operation: ChargedOperation): number {
  const fee = plan?.fees.find((each) => isFor(each, operation))
  const tier = fee?.tiers.findLast(({ fromMinor }) => fromMinor <= operation.amountMinor)
  return tier ? feeByPrice(tier, operation.amountMinor) : 0
}

const isFor = ({ kind, types, brands, currency }: Fee, operation: ChargedOperation): boolean =>
  kind === operation.kind &&
  (types?.includes(operation.type) ?? true) &&
  (brands === undefined || (operation.brand !== null && brands.includes(operation.brand))) &&
  (currency ?? operation.currency) === operation.currency

function feeByPrice({ millionths, fixedMinor, minimumMinor, maximumMinor = Infinity }: FeePrice, amountMinor: number) {
  const feeMinor = fixedMinor + partOf(amountMinor, millionths)
  return Math.min(Math.max(feeMinor, minimumMinor), maximumMinor)
}
