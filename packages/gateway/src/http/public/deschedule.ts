import { deschedule as callOff } from '@tollgate/operations'
import type { Route } from './route.ts'

/** Calls a plan off (DS). */
export const deschedule: Route = {
  operation: 'deschedule',
  method: 'POST',
  path: '/scheduling/v1/schedules/:id/deschedule',
  handle: (gateway, call) =>
    gateway.commands.execute(call, call.claim, () => callOff(gateway, call), { reference: call.id }),
}
