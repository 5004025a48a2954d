import { readCheckoutStatus } from '@tollgate/operations'
import type { Route } from './route.ts'

/** "GET /checkouts/{id}/payment: final status of the checkout payment." */
export const getCheckoutPayment: Route = {
  operation: 'getCheckoutPayment',
  method: 'GET',
  path: '/v1/checkouts/:id/payment',
  also: '/checkouts/:id/payment',
  handle: readCheckoutStatus,
}
