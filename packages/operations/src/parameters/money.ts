import { type CurrencyCode, InvariantError, isCurrency, type RequestParameters } from '@tollgate/contract'
import { parseAmount } from '@tollgate/domain'
import { narrow } from '../narrow.ts'

/** The amount and currency of a request. */
export type Money = Readonly<ReturnType<typeof readMoney>>

export function readMoney({ values }: RequestParameters) {
  const text = values.get('amount')
  const currency = narrow(isCurrency, values.get('currency'))
  return {
    /** The parameter `amount` as it was sent. */
    text,
    currency,
    /**
     * The parsed amount, or the refusal, for example of wrong decimals; undefined unless amount and currency were sent.
     */
    amount: text === undefined || currency === undefined ? undefined : parseAmount(text, currency),
  }
}

/**
 * The amount of a request in which the currency is optional.
 *
 * @param currency the currency of the referenced payment
 */
export function amountIn({ text, currency: sent, amount }: Money, currency: CurrencyCode | undefined): Money['amount'] {
  if (sent !== undefined || text === undefined || currency === undefined) return amount
  return parseAmount(text, currency)
}

/** The money of a request in which amount and currency are required. */
export function moneyOf({ currency, amount }: Money) {
  if (currency === undefined || amount === undefined)
    throw new InvariantError('checked request lacks amount or currency')
  return { currency, amount }
}

/** Whether an amount of zero was sent, with or without a currency. */
export const isZero = ({ text }: Money): boolean => text !== undefined && Number(text) === 0
