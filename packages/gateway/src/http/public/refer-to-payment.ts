import { referToPayment as refer, refuseReference } from '@tollgate/operations'
import type { Route } from './route.ts'

/** Captures, reverses or refunds a payment: "the payment id being used as {id} in the URL". */
export const referToPayment: Route = {
  operation: 'referToPayment',
  method: 'POST',
  path: '/v1/payments/:id',
  handle: (gateway, call) =>
    gateway.commands.execute(call, call.claim, () => refer(gateway, call), {
      reference: call.id,
      refuse: (why) => refuseReference(gateway, call, why),
    }),
  refuse: refuseReference,
}
