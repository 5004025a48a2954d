import { payCheckout as pay, shopperAttempt, withDeclineReason } from '@tollgate/operations'
import type { Route } from './route.ts'

/** "POST /checkouts/{id}/payment: submits the payment of a checkout (path is shown without a version segment)." */
export const payCheckout: Route = {
  operation: 'payCheckout',
  method: 'POST',
  path: '/v1/checkouts/:id/payment',
  also: '/checkouts/:id/payment',
  handle: async (gateway, call) =>
    withDeclineReason(
      await shopperAttempt(gateway, call, (begin) =>
        gateway.commands.execute(call, call.claim, () => pay(gateway, call, begin), { reference: call.id }),
      ),
    ),
}
