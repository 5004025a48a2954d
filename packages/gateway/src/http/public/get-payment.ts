import { readPayment } from '@tollgate/operations'
import type { Route } from './route.ts'

/** "GET {base_url}/v1/payments/{id}: Payment response for that payment id. A wrong id gives HTTP 404." */
export const getPayment: Route = {
  operation: 'getPayment',
  method: 'GET',
  path: '/v1/payments/:id',
  handle: readPayment,
}
