import { type CurrencyCode, currencies } from '@tollgate/contract'

/** The currency in which merchants are settled. */
export const settlementCurrency = 'EUR'

/** Millionths of a euro for one unit of a currency. Currencies that are not listed are settled as they are. */
const ratesMicro: { readonly [Code in CurrencyCode]?: number } = {
  AUD: 610_000,
  CAD: 680_000,
  CHF: 1_040_000,
  CZK: 40_000,
  DKK: 134_000,
  GBP: 1_170_000,
  HUF: 2_500,
  JPY: 6_100,
  KWD: 3_000_000,
  NOK: 86_000,
  PLN: 233_000,
  SEK: 88_000,
  USD: 920_000,
}

/** An amount in the currency of settlement. The rate has two decimals and is informative: the amount is exact. */
export interface ConvertedAmount {
  readonly settlementAmountMinor: number
  readonly settlementCurrency: CurrencyCode
  readonly fxRate?: string
}

const EURO_MINOR = 10 ** currencies[settlementCurrency].exponent
const MICRO = 1_000_000

/** Converts an amount, rounded half up to a cent. @param amountMinor minor units of `currency` */
export function convert(amountMinor: number, currency: CurrencyCode): ConvertedAmount {
  const rateMicro = ratesMicro[currency]
  if (rateMicro === undefined) return { settlementAmountMinor: amountMinor, settlementCurrency: currency }
  const divisor = BigInt(MICRO) * BigInt(10 ** currencies[currency].exponent)
  const dividend = BigInt(amountMinor) * BigInt(rateMicro) * BigInt(EURO_MINOR)
  return {
    settlementAmountMinor: Number((2n * dividend + divisor) / (2n * divisor)),
    settlementCurrency,
    fxRate: (rateMicro / MICRO).toFixed(2),
  }
}
