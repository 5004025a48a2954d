import { readCheckoutStatus } from '@tollgate/operations'
import type { Route } from './route.ts'

/** The same for a registration. */
export const getCheckoutRegistration: Route = {
  operation: 'getCheckoutRegistration',
  method: 'GET',
  path: '/v1/checkouts/:id/registration',
  also: '/checkouts/:id/registration',
  handle: readCheckoutStatus,
}
