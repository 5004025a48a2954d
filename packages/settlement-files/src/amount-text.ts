import { type CurrencyCode, currencies } from '@tollgate/contract'
import { isAmount } from '@tollgate/domain'

const DECIMAL = /^(\d{1,16})(?:\.(\d{1,4}))?$/

/**
 * Parses a decimal number with a dot and at most the decimals of its currency: `12.50` and `12.5` EUR, `1250` JPY,
 * `1.255` KWD.
 *
 * @returns minor units; undefined if the text is no such number, has too many decimals, or is no safe integer
 */
export function parseDecimalSum(text: string, currency: CurrencyCode): number | undefined {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? []
  const { exponent } = currencies[currency]
  if (whole === undefined || fraction.length > exponent) return undefined
  const sumMinor = Number(whole) * 10 ** exponent + Number(fraction.padEnd(exponent, '0'))
  return Number.isSafeInteger(sumMinor) ? sumMinor : undefined
}

/** As `parseDecimalSum`, but undefined beyond the bound of amounts, too. */
export function parseDecimalAmount(text: string, currency: CurrencyCode): number | undefined {
  const amountMinor = parseDecimalSum(text, currency)
  return amountMinor !== undefined && isAmount(amountMinor) ? amountMinor : undefined
}

/** Writes an amount in minor units as a decimal number with all decimals of its currency. */
export function formatDecimalAmount(amountMinor: number, currency: CurrencyCode): string {
  const { exponent } = currencies[currency]
  const digits = String(amountMinor).padStart(exponent + 1, '0')
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}

const MINOR = /^\d{15}$/

/** Parses an amount in minor units of 15 digits; undefined if the text is none. */
export const parseMinorAmount = (text: string): number | undefined => (MINOR.test(text) ? Number(text) : undefined)

/** Writes an amount in minor units as 15 digits, which the bound of amounts fits. */
export const formatMinorAmount = (amountMinor: number): string => String(amountMinor).padStart(15, '0')
