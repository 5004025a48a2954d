import { queryRecords as query } from '../../payments/queries/query-payments.ts'
import type { Route } from './route.ts'

/** The same as GET /v1/query, in pages. */
export const queryRecords: Route = {
  operation: 'queryRecords',
  method: 'GET',
  path: '/v3/query',
  handle: query,
}
