import { authenticateStored } from '@tollgate/operations'
import type { Route } from './route.ts'

/** "Later payments reference a registration so that the details need not be sent again": authentications, too. */
export const authenticateWithRegistration: Route = {
  operation: 'authenticateWithRegistration',
  method: 'POST',
  path: '/v1/registrations/:id/threeDSecure',
  handle: (gateway, call) => gateway.commands.execute(call, call.claim, () => authenticateStored(gateway, call)),
}
