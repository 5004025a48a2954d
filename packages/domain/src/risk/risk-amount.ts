import type { CurrencyCode } from '@tollgate/contract'
import { type Refused, refused } from '../guard.ts'
import { type Amount, parseAmount } from '../money.ts'

/**
 * The amount for the risk check: `risk.amount` if it was sent, such as that of the whole order of a partial payment.
 *
 * @param sent `risk.amount`, well-formed
 * @param amountMinor the amount of the payment
 * @returns the amount; or 100.550.603 (decimals that the currency does not have), .601 (too large), .605 (smaller than
 * the payment's)
 */
export function riskAmount(sent: string | undefined, currency: CurrencyCode, amountMinor: number): Amount | Refused {
  if (sent === undefined) return { kind: 'amount', amountMinor }
  const amount = parseAmount(sent, currency)
  if (amount.kind === 'refused') {
    return amount.code === '100.550.301'
      ? refused('100.550.601', 'risk.amount is too large')
      : refused('100.550.603', `risk.amount: ${amount.reason}`)
  }
  if (amount.amountMinor >= amountMinor) return amount
  return refused('100.550.605', 'risk.amount must not be smaller than amount')
}
