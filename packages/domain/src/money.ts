import { type CurrencyCode, currencies } from '@tollgate/contract'
import { invariant, type Refused, refused } from './guard.ts'
import { limits } from './limits.ts'

/** An amount in minor units of its currency: cents, yen, fils. */
export interface Amount {
  readonly kind: 'amount'
  readonly amountMinor: number
}

const AMOUNT = /^(\d{1,12})(?:\.(\d{2}))?$/

/**
 * Parses an amount of a request: digits, optionally a dot and exactly two decimals (contract, AMT; older clients send
 * up to 12 digits before the dot).
 *
 * The two decimals must fit the decimals of the currency: "92.50" is not an amount in yen, and fils are multiples of
 * ten.
 *
 * @returns the amount; or 100.550.303 (malformed, or decimals that the currency does not have), .301 (too large)
 */
export function parseAmount(text: string, currency: CurrencyCode): Amount | Refused {
  const [, whole, fraction = ''] = AMOUNT.exec(text) ?? []
  if (whole === undefined)
    return refused('100.550.303', 'an amount is 1 to 12 digits, optionally followed by a dot and exactly two decimals')
  const unitMinor = unitMinorOf(currency)
  const fractionMinor = (Number(fraction) * unitMinor) / 100
  if (!Number.isInteger(fractionMinor)) {
    return refused('100.550.303', `${currency} has no decimals: the two decimals must be 00`)
  }
  const amountMinor = Number(whole) * unitMinor + fractionMinor
  if (amountMinor > limits.amountMinorMax) return refused('100.550.301', 'the amount is too large')
  return { kind: 'amount', amountMinor }
}

/**
 * Writes an amount as the API does: always two decimals (contract, AMT2), in every currency.
 *
 * @param amountMinor minor units; throws for an amount out of bounds, or one that two decimals cannot express, because
 * no such amount is accepted
 */
export function formatAmount(amountMinor: number, currency: CurrencyCode): string {
  invariant(isAmount(amountMinor), 'an amount is a whole number of minor units within bounds')
  invariant(hasTwoDecimals(amountMinor, currency), 'an amount has two decimals at most')
  const unitMinor = unitMinorOf(currency)
  const fractionMinor = amountMinor % unitMinor
  const hundredths = (fractionMinor * 100) / unitMinor
  return `${(amountMinor - fractionMinor) / unitMinor}.${hundredths < 10 ? '0' : ''}${hundredths}`
}

/**
 * Writes a sum of amounts or fees: as `formatAmount` does, also if it is negative or exceeds the bounds of an amount.
 * It has all decimals of the currency if two cannot express it, such as a fee in fils.
 *
 * @param sumMinor minor units, a safe integer
 */
export function formatSum(sumMinor: number, currency: CurrencyCode): string {
  invariant(Number.isSafeInteger(sumMinor), 'a sum is a whole number of minor units')
  const { exponent } = currencies[currency]
  const digits = String(Math.abs(sumMinor)).padStart(exponent + 1, '0')
  const whole = digits.slice(0, digits.length - exponent)
  const fraction = digits.slice(digits.length - exponent).padEnd(2, '0')
  const decimals = hasTwoDecimals(Math.abs(sumMinor), currency) ? fraction.slice(0, 2) : fraction
  return `${sumMinor < 0 ? '-' : ''}${whole}.${decimals}`
}

/** Whether two decimals can express an amount in minor units: fils must be multiples of ten. */
export function hasTwoDecimals(amountMinor: number, currency: CurrencyCode): boolean {
  const unitMinor = unitMinorOf(currency)
  return ((amountMinor % unitMinor) * 100) % unitMinor === 0
}

/** The minor units of one unit of a currency: 100 cents, 1 yen, 1,000 fils. */
const unitMinorOf = (currency: CurrencyCode): number => 10 ** currencies[currency].exponent

/** Whether a transaction can have this amount. */
export const isAmount = (amountMinor: number): boolean =>
  Number.isSafeInteger(amountMinor) && amountMinor >= 0 && amountMinor <= limits.amountMinorMax
