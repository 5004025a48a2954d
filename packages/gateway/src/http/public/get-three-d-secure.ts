import { readThreeDSecure } from '@tollgate/operations'
import type { Route } from './route.ts'

/** "POST and GET /v1/threeDSecure (standalone authentication)" (interop). */
export const getThreeDSecure: Route = {
  operation: 'getThreeDSecure',
  method: 'GET',
  path: '/v1/threeDSecure/:id',
  handle: readThreeDSecure,
}
