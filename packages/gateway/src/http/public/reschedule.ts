import { reschedule as change } from '@tollgate/operations'
import type { Route } from './route.ts'

/** Puts another plan in the place of one (RS). */
export const reschedule: Route = {
  operation: 'reschedule',
  method: 'POST',
  path: '/scheduling/v1/schedules/:id/reschedule',
  handle: (gateway, call) =>
    gateway.commands.execute(call, call.claim, () => change(gateway, call), { reference: call.id }),
}
