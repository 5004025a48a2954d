import type { Context } from '../context.ts'
import { expireRegistration } from './expire-registration.ts'
import type { JobKind } from '../job.ts'
import { END_REGISTRATION } from '../records/timers.ts'

/** Ends registrations whose time has run out, and erases what they store. */
export const endRegistrations = (context: Context): JobKind => ({
  name: END_REGISTRATION,
  queues: () => [''],
  together: () => 1,
  run: (job) => expireRegistration(context, job),
})
