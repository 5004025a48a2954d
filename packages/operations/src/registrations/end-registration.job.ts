import { expireRegistration } from '@tollgate/domain'
import type { JobRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { CHANGED, type JobKind } from '../job.ts'
import { jobDone } from '../job-transitions.ts'
import { registrationRow } from '../records/registration-record.ts'
import { readRegistrationTree } from '../records/registration-tree.ts'
import { END_REGISTRATION } from '../records/timers.ts'
import { endOfRegistration, systemDeregistration } from './end-registration.ts'

/** Ends expired registrations and erases their accounts. */
export const endRegistrations = (context: Context): JobKind => ({
  name: END_REGISTRATION,
  queues: () => [''],
  concurrency: () => 1,
  run: (timer) => endRegistration(context, timer),
})

/**
 * Ends the registration of a timer. A registration that was used since its expiry was computed gets a new expiry. An
 * ended registration needs no timer. After a concurrent change the timer runs again.
 */
async function endRegistration(context: Context, timer: JobRow): Promise<string> {
  const atMs = context.clock.now()
  const tree = await readRegistrationTree(context.storage, timer.subject_id, atMs)
  if (!tree || tree.registration.deletedAtMs !== null) {
    await commitChange(context, { compareAndSets: [jobDone(timer)] })
    return 'had ended'
  }
  const expired = expireRegistration(tree.registration, atMs)
  if (!expired) {
    const rows = { registration: [registrationRow(tree.registration, tree.merchant)] }
    await commitChange(context, { expectedVersions: [tree.expectedVersion], rows })
    return 'not expired: the registration was used in the meantime'
  }
  const end = await endOfRegistration(context, tree, expired, {
    atMs,
    reason: 'the registration has expired',
    sentence: 'The time to keep the payment details is over: they are erased.',
  })
  const unit = systemDeregistration(context, tree, atMs, end)
  const compareAndSets = [...(unit.compareAndSets ?? []), jobDone(timer)]
  return (await commitChange(context, { ...unit, compareAndSets })) ? 'ended' : CHANGED
}
