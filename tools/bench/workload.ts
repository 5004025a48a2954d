/** A merchant of the workload: its channel and access token. */
export interface MerchantAccess {
  readonly channel: string
  readonly token: string
}

/** Placeholder for the merchantTransactionId of a prepared request. It is as long as the replacement. */
export const REFERENCE_PLACEHOLDER = 'order-0000000000000000'

/** The amount of every payment. */
export const amount = { amount: '92.00', currency: 'EUR' } as const
/** A card that is not enrolled in 3-D Secure. */
export const card = {
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
} as const

/**
 * The payment of the workload: a card debit with 20 parameters, as a shop with customer and billing address sends it.
 */
export function payment({ channel }: MerchantAccess, merchantTransactionId: string): URLSearchParams {
  return new URLSearchParams({
    entityId: channel,
    ...amount,
    ...card,
    paymentType: 'DB',
    merchantTransactionId,
    'customer.givenName': 'Jane',
    'customer.surname': 'Jones',
    'customer.email': 'jane.jones@example.com',
    'customer.ip': '203.0.113.7',
    'customer.merchantCustomerId': 'customer-4711',
    'billing.street1': '12 High Street',
    'billing.city': 'London',
    'billing.postcode': 'N11AA',
    'billing.country': 'GB',
  })
}

/** A request of one merchant, with `REFERENCE_PLACEHOLDER` in place of the merchantTransactionId. */
export interface PreparedRequest {
  readonly authorization: string
  readonly body: string
}

/** The requests that the load tools send in a cycle. */
export function prepareRequests(merchants: readonly MerchantAccess[]): readonly PreparedRequest[] {
  return merchants.map((merchant) => ({
    authorization: `Bearer ${merchant.token}`,
    body: payment(merchant, REFERENCE_PLACEHOLDER).toString(),
  }))
}
