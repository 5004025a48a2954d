import { deschedule } from './deschedule.ts'
import type { Route } from './route.ts'

/** Calls a plan off as `deschedule` does: nothing of it is deleted. */
export const deleteSchedule: Route = {
  operation: 'deleteSchedule',
  method: 'DELETE',
  path: '/scheduling/v1/schedules/:id',
  handle: (gateway, call) => deschedule.handle(gateway, call),
}
