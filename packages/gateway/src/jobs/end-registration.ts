import type { JobRow, RegistrationRow } from '@tollgate/storage'
import type { Context } from '../operations/context.ts'
import { expireRegistration } from '../payments/registrations/expire-registration.ts'
import type { JobKind } from './job-kind.ts'
import { newJob } from './new-job.ts'

const KIND = 'end-registration'

/** The timer of a registration: each time that it is written, it is set to the end that was reckoned then. */
export const registrationTimer = ({ id, merchant, expires_at_ms, created_at_ms }: RegistrationRow): JobRow =>
  newJob({ id, merchant, kind: KIND, subject_id: id, due_at_ms: expires_at_ms, created_at_ms })

/** Ends registrations whose time has run out, and erases what they store. */
export const endRegistrations = (gateway: Context): JobKind => ({
  name: KIND,
  lanes: () => [''],
  together: () => 1,
  run: (job) => expireRegistration(gateway, job),
})
