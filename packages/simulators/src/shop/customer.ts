import type { Parameters } from './gateway.ts'

/**
 * Who buys, and where the bill goes: a real shop asks, or knows. Banks want it for 3-D Secure, and the better they know
 * a customer the less often they ask for a code.
 */
export const customer = {
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'customer.email': 'jane.jones@example.com',
  'billing.street1': 'Lindenstrasse 7',
  'billing.postcode': '10969',
  'billing.city': 'Berlin',
  'billing.country': 'DE',
} as const satisfies Parameters
