import { queryPayment as query } from '@tollgate/operations'
import type { Route } from './route.ts'

/** A transaction of any type by its id. A wrong id gives HTTP 404. */
export const queryPayment: Route = {
  operation: 'queryPayment',
  method: 'GET',
  path: '/v1/query/:id',
  handle: query,
}
