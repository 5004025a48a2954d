import type { Context } from '../operations/context.ts'
import { expireRegistration } from '../payments/registrations/expire-registration.ts'
import type { JobKind } from './job-kind.ts'
import { END_REGISTRATION } from '../operations/records/timers.ts'

/** Ends registrations whose time has run out, and erases what they store. */
export const endRegistrations = (gateway: Context): JobKind => ({
  name: END_REGISTRATION,
  lanes: () => [''],
  together: () => 1,
  run: (job) => expireRegistration(gateway, job),
})
