import type { TransactionFee } from './bookings.ts'
import type { TransactionKind } from '../transaction.ts'

/** The part of an amount that a brand takes, and a fixed amount. */
interface BrandFee {
  /** Hundredths of a percent. */
  readonly basisPoints: number
  /** Cents. */
  readonly fixedMinor: number
}

/** The fees of debits and payouts by brand. */
const brandFees: Readonly<Record<string, BrandFee>> = {
  VISA: { basisPoints: 45, fixedMinor: 5 },
  MASTER: { basisPoints: 50, fixedMinor: 5 },
  MAESTRO: { basisPoints: 35, fixedMinor: 5 },
  AMEX: { basisPoints: 190, fixedMinor: 10 },
  DINERS: { basisPoints: 210, fixedMinor: 10 },
  DISCOVER: { basisPoints: 160, fixedMinor: 10 },
  JCB: { basisPoints: 180, fixedMinor: 10 },
}

const otherBrandFee: BrandFee = { basisPoints: 100, fixedMinor: 10 }

/**
 * The fee of a transaction: the percentage, rounded half up to a minor unit, and the fixed amount, at most the amount.
 *
 * @param amountMinor in the currency of settlement
 */
export function brandFeeOf(brand: string | undefined, amountMinor: number): number {
  const { basisPoints, fixedMinor } = brandFees[brand ?? ''] ?? otherBrandFee
  const percentageMinor = Number((BigInt(amountMinor) * BigInt(basisPoints) + 5_000n) / 10_000n)
  return Math.min(amountMinor, percentageMinor + fixedMinor)
}

/** The fee for the message of an approved transaction. */
export const feeOfKind: Readonly<Record<TransactionKind, TransactionFee | undefined>> = {
  authorisation: 'AUTH_FEE',
  increment: 'AUTH_FEE',
  capture: 'CAPTURE_FEE',
  sale: 'AUTH_FEE',
  refund: 'REFUND_FEE',
  payout: undefined,
  verification: undefined,
  inquiry: undefined,
}

/** Fees in cents: for a message, for a merchant's settlement of a day, and for its last settlement of a month. */
export const feesMinor: Readonly<Record<TransactionFee | 'BATCH' | 'MONTHLY', number>> = {
  AUTH_FEE: 4,
  CAPTURE_FEE: 3,
  CANCEL_FEE: 5,
  REFUND_FEE: 10,
  BATCH: 25,
  MONTHLY: 990,
}

/** The fee of a chargeback in cents, which its reversal does not return. */
export const chargebackFeeMinor = 1_500
