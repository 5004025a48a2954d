import type { CurrencyCode } from '@tollgate/contract'
import { type Refused, refused } from '../guard.ts'
import { parseAmount } from '../money.ts'

/** The amount for which a cardholder is authenticated. */
export interface Purchase {
  readonly kind: 'purchase'
  readonly amountMinor: number
  readonly currency: CurrencyCode
}

/** The parameters of a request that replace the amount of the payment in the authentication. */
interface SentPurchase {
  /** risk.amount. */
  readonly riskAmount: string | undefined
  /** threeDSecure.amount. */
  readonly amount: string | undefined
  /** threeDSecure.currency. */
  readonly currency: CurrencyCode | undefined
}

/**
 * The amount in an authentication request. "risk.amount: When present it is the amount used for 3D Secure".
 * Without it `threeDSecure.amount` is used, and without both the amount of the payment. The currency is that of the
 * payment, unless `threeDSecure.currency` was sent with the `threeDSecure.amount` that is used.
 *
 * @param paid amount and currency of the payment
 * @returns the amount; refused if it is malformed, too large, or has decimals that its currency does not have
 */
export function purchaseOf(
  { riskAmount, amount, currency }: SentPurchase,
  paid: Pick<Purchase, 'amountMinor' | 'currency'>,
): Purchase | Refused {
  if (riskAmount !== undefined) return purchaseIn('risk.amount', riskAmount, paid.currency)
  if (amount !== undefined) return purchaseIn('threeDSecure.amount', amount, currency ?? paid.currency)
  return { kind: 'purchase', amountMinor: paid.amountMinor, currency: paid.currency }
}

function purchaseIn(name: string, sent: string, currency: CurrencyCode): Purchase | Refused {
  const amount = parseAmount(sent, currency)
  return amount.kind === 'amount'
    ? { kind: 'purchase', amountMinor: amount.amountMinor, currency }
    : refused(amount.code, `${name}: ${amount.reason}`)
}
