import { updateCheckout as update } from '@tollgate/operations'
import type { Route } from './route.ts'

/** Changes what was prepared. */
export const updateCheckout: Route = {
  operation: 'updateCheckout',
  method: 'POST',
  path: '/v1/checkouts/:id',
  also: '/checkouts/:id',
  handle: (gateway, call) =>
    gateway.commands.execute(call, call.claim, () => update(gateway, call), { reference: call.id }),
}
