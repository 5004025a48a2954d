import { deregister } from '@tollgate/operations'
import type { Route } from './route.ts'

/** Ends a registration (DR) and shreds its card number. Payments made with it keep their own, for refunds. */
export const deleteRegistration: Route = {
  operation: 'deleteRegistration',
  method: 'DELETE',
  path: '/v1/registrations/:id',
  handle: (gateway, call) =>
    gateway.commands.execute(call, call.claim, () => deregister(gateway, call), { reference: call.id }),
}
