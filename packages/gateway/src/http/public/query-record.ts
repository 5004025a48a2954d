import { queryRecord as query } from '@tollgate/operations'
import type { Route } from './route.ts'

/** The same as GET /v1/query/{id}, as a list. */
export const queryRecord: Route = {
  operation: 'queryRecord',
  method: 'GET',
  path: '/v3/query/:id',
  handle: query,
}
