import { registerCheckout as register, shopperAttempt, withDeclineReason } from '@tollgate/operations'
import type { Route } from './route.ts'

/** "POST and GET /checkouts/{id}/registration: same rules as the payment variant, for registrations." */
export const registerCheckout: Route = {
  operation: 'registerCheckout',
  method: 'POST',
  path: '/v1/checkouts/:id/registration',
  also: '/checkouts/:id/registration',
  handle: async (gateway, call) =>
    withDeclineReason(
      await shopperAttempt(gateway, call, (begin) =>
        gateway.commands.execute(call, call.claim, () => register(gateway, call, begin), { reference: call.id }),
      ),
    ),
}
