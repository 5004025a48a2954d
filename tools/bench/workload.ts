import { limits } from './limits.ts'
import { shopperOf, vary } from './shopper.ts'

/** A merchant of the workload: its channel and access token. */
export interface MerchantAccess {
  readonly channel: string
  readonly token: string
}

/**
 * The first numbers of payments by their sender, so that numbers of different senders differ. Load tools send the lower
 * numbers.
 */
export const firstNumbers = {
  atRate: 7_000_000_000,
  models: 8_000_000_000,
  stored: 9_000_000_000,
  multiplied: 9_100_000_000,
} as const

/** Digits of the text of a number. */
export const NUMBER_DIGITS = 10

/** Placeholder for the text of the number of a payment. It is as long as the replacement. */
export const NUMBER_PLACEHOLDER = 'N'.repeat(NUMBER_DIGITS)

/** The number of a payment as it stands in the merchantTransactionId and in the e-mail address. */
export const numberText = (number: number): string => String(number).padStart(NUMBER_DIGITS, '0')

/** The merchantTransactionId of a payment. */
export const referenceOf = (text: string): string => `order-2026-${text}`

/** The text of the number in a merchantTransactionId. */
export const numberTextIn = (merchantTransactionId: string): string => merchantTransactionId.slice(-NUMBER_DIGITS)

/**
 * A payment of the workload: a card debit with 20 parameters, as a shop with customer and billing address sends it.
 * Shopper, card, addresses and amount follow from the number.
 *
 * @param text of the number, or the placeholder that is replaced by another number before the payment is sent
 */
export function payment({ channel }: MerchantAccess, number: number, text = numberText(number)): URLSearchParams {
  return new URLSearchParams({
    entityId: channel,
    amount: (1 + vary(number, 0, 50_000) / 100).toFixed(2),
    currency: 'EUR',
    paymentType: 'DB',
    merchantTransactionId: referenceOf(text),
    ...shopperOf(number, text),
  })
}

/** A request of one merchant, with `NUMBER_PLACEHOLDER` in place of the text of its number. */
export interface PreparedRequest {
  readonly authorization: string
  readonly body: string
}

/**
 * The requests that the load tools send in a cycle, of one merchant after the other. They are prepared, because load
 * tools share the machine with the servers: before a request is sent, only its number is inserted, in the
 * merchantTransactionId and in the e-mail address.
 */
export function prepareRequests(merchants: readonly MerchantAccess[]): readonly PreparedRequest[] {
  return Array.from({ length: limits.preparedRequests / merchants.length }).flatMap((_, round) =>
    merchants.map((merchant, index) => ({
      authorization: `Bearer ${merchant.token}`,
      body: payment(merchant, round * merchants.length + index, NUMBER_PLACEHOLDER).toString(),
    })),
  )
}

/** The body of a prepared request as the payment with this number. */
export function bodyOf({ body }: PreparedRequest, number: number): string {
  return body.replaceAll(NUMBER_PLACEHOLDER, numberText(number))
}
