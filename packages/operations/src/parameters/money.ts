import { type CurrencyCode, InvariantError, isCurrency, type RequestParameters } from '@tollgate/contract'
import { parseAmount } from '@tollgate/domain'
import { known } from '../narrow.ts'

/** The money that a request names. */
export type Money = Readonly<ReturnType<typeof readMoney>>

export function readMoney({ values }: RequestParameters) {
  const text = values.get('amount')
  const currency = known(isCurrency, values.get('currency'))
  return {
    /** amount, as sent. */
    text,
    currency,
    /** The amount in this currency, refused where it does not fit it; undefined unless both were sent. */
    amount: text === undefined || currency === undefined ? undefined : parseAmount(text, currency),
  }
}

/**
 * The amount of a request that need not name a currency.
 *
 * @param currency that of the payment which the request refers to
 */
export function amountIn({ text, currency: sent, amount }: Money, currency: CurrencyCode | undefined): Money['amount'] {
  if (sent !== undefined || text === undefined || currency === undefined) return amount
  return parseAmount(text, currency)
}

/** The money of a request that must name an amount and a currency. */
export function moneyOf({ currency, amount }: Money) {
  if (currency === undefined || amount === undefined)
    throw new InvariantError('checked request lacks amount or currency')
  return { currency, amount }
}

/** Whether an amount of zero was sent, with or without a currency. */
export const isZero = ({ text }: Money): boolean => text !== undefined && Number(text) === 0
