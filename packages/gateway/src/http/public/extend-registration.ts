import { extendRegistration as extend } from '@tollgate/operations'
import type { Route } from './route.ts'

/** Keeps a registration for longer (TE). */
export const extendRegistration: Route = {
  operation: 'extendRegistration',
  method: 'POST',
  path: '/v1/registrations/:id/extendlife',
  handle: (gateway, call) =>
    gateway.commands.execute(call, call.claim, () => extend(gateway, call), { reference: call.id }),
}
