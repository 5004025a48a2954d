import { readSchedule } from '@tollgate/operations'
import type { Route } from './route.ts'

/** A plan, or by the id of a registration all of its plans. A wrong id gives HTTP 404. */
export const getSchedule: Route = {
  operation: 'getSchedule',
  method: 'GET',
  path: '/scheduling/v1/schedules/:id',
  handle: readSchedule,
}
