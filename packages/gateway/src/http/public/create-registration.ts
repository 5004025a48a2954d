import { instrumentOfForm, register } from '@tollgate/operations'
import type { Route } from './route.ts'

/** "POST {base_url}/v1/registrations: transaction type RG. The field id is the registration id. Synchronous." */
export const createRegistration: Route = {
  operation: 'createRegistration',
  method: 'POST',
  path: '/v1/registrations',
  handle: (gateway, call) =>
    gateway.commands.execute(call, call.claim, () => register(gateway, call, instrumentOfForm(call))),
}
