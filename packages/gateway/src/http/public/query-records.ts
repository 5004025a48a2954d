import { queryRecords as query } from '@tollgate/operations'
import type { Route } from './route.ts'

/** The same as GET /v1/query, in pages. */
export const queryRecords: Route = {
  operation: 'queryRecords',
  method: 'GET',
  path: '/v3/query',
  handle: query,
}
