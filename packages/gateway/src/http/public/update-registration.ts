import { updateRegistration as update } from '@tollgate/operations'
import type { Route } from './route.ts'

/** Updates what is stored (RR): a card that was renewed, a new address. */
export const updateRegistration: Route = {
  operation: 'updateRegistration',
  method: 'POST',
  path: '/v1/registrations/:id',
  handle: (gateway, call) =>
    gateway.commands.execute(call, call.claim, () => update(gateway, call), { reference: call.id }),
}
