import { mutexScopeOf, payWithRegistration as pay } from '@tollgate/operations'
import type { Route } from './route.ts'

/** "POST {base_url}/v1/registrations/{id}/payments: also used for one-click payment with a stored registration." */
export const payWithRegistration: Route = {
  operation: 'payWithRegistration',
  method: 'POST',
  path: '/v1/registrations/:id/payments',
  handle: (gateway, call) => gateway.commands.execute(call, call.claim, () => pay(gateway, call), mutexScopeOf(call)),
}
