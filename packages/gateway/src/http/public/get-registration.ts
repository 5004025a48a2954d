import { readRegistration } from '@tollgate/operations'
import type { Route } from './route.ts'

/** What is stored as a registration. A wrong id gives HTTP 404. */
export const getRegistration: Route = {
  operation: 'getRegistration',
  method: 'GET',
  path: '/v1/registrations/:id',
  handle: readRegistration,
}
