import type { Parameters } from './gateway.ts'

/**
 * The customer and the address of the bill: a real shop asks, or knows. Issuers want it for 3-D Secure: the better they
 * know a customer, the less often they ask for a code.
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
