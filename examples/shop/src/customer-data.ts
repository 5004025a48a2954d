import type { Parameters } from './gateway.ts'

/**
 * The customer and the billing address; a real shop stores them in the customer's account. Issuers evaluate them for
 * 3-D Secure, which makes challenges less frequent.
 */
export const customerData = {
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'customer.email': 'jane.jones@example.com',
  'billing.street1': 'Lindenstrasse 7',
  'billing.postcode': '10969',
  'billing.city': 'Berlin',
  'billing.country': 'DE',
} as const satisfies Parameters
