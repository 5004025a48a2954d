import { beginPayment, instrumentOfForm, mutexScopeOf } from '@tollgate/operations'
import type { Route } from './route.ts'

/** "POST {base_url}/v1/payments: createRegistration=true stores the details." */
export const createPayment: Route = {
  operation: 'createPayment',
  method: 'POST',
  path: '/v1/payments',
  handle: (gateway, call) =>
    gateway.commands.execute(
      call,
      call.claim,
      () => beginPayment(gateway, call, instrumentOfForm(call)),
      mutexScopeOf(call),
    ),
}
