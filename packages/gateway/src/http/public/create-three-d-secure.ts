import { standaloneAuthentication, instrumentOfForm } from '@tollgate/operations'
import type { Route } from './route.ts'

/** "POST and GET /v1/threeDSecure (standalone authentication)" (interop). */
export const createThreeDSecure: Route = {
  operation: 'createThreeDSecure',
  method: 'POST',
  path: '/v1/threeDSecure',
  handle: (gateway, call) =>
    gateway.commands.execute(call, call.claim, () => standaloneAuthentication(gateway, call, instrumentOfForm(call))),
}
