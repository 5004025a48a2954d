import { queryPayments as query } from '@tollgate/operations'
import type { Route } from './route.ts'

/** What was found by reference, short id, time, types and methods. Nothing gives HTTP 404. */
export const queryPayments: Route = {
  operation: 'queryPayments',
  method: 'GET',
  path: '/v1/query',
  handle: query,
}
