import { payWithRegistration as pay, turnOf } from '@tollgate/operations'
import type { Route } from './route.ts'

/** "POST {base_url}/v1/registrations/{id}/payments: also used for one-click payment with a stored registration." */
export const payWithRegistration: Route = {
  operation: 'payWithRegistration',
  method: 'POST',
  path: '/v1/registrations/:id/payments',
  handle: (gateway, call) => gateway.funnel.submit(call, call.claim, () => pay(gateway, call), turnOf(call)),
}
