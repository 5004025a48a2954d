import { createSchedule as create } from '@tollgate/operations'
import type { Route } from './route.ts'

/** Plans the charges of a registration (SD). */
export const createSchedule: Route = {
  operation: 'createSchedule',
  method: 'POST',
  path: '/scheduling/v1/schedules',
  handle: (gateway, call) =>
    gateway.commands.execute(call, call.claim, () => create(gateway, call), {
      reference: call.parameters.values.get('registrationId') ?? '',
    }),
}
