import { createCheckout as create } from '@tollgate/operations'
import type { Route } from './route.ts'

/** Prepares a payment, or a registration: "contains the checkout id". */
export const createCheckout: Route = {
  operation: 'createCheckout',
  method: 'POST',
  path: '/v1/checkouts',
  also: '/checkouts',
  handle: (gateway, call) => gateway.commands.execute(call, call.claim, () => create(gateway, call)),
}
