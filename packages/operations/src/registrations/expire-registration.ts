import { expireRegistration as decide } from '@tollgate/domain'
import type { JobRow, TransactionRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { unitOf } from '../pending-unit.ts'
import { CHANGED } from '../job.ts'
import { jobDone } from '../job-transitions.ts'
import { type Outcome, resultView } from '../records/outcome.ts'
import { endingPlans } from '../records/end-plans.ts'
import { registrationDone, registrationRow } from '../records/registration-record.ts'
import { readRegistrationTree, registrationUnit } from '../records/registration-tree.ts'

const outcomeOf = (root: TransactionRow): Outcome => ({
  result: resultView(registrationDone(root)),
  resultDetails: { ExtendedDescription: 'The time to keep the payment details is over: they are erased.' },
})

/**
 * Ends a registration whose time has run out and its plans, with a DR of our own, and shreds its account. One that was
 * used since its time was reckoned lives on, with the time that follows from it; one that has ended needs no timer any
 * more.
 *
 * @param timer whose subject the registration is
 * @returns what came of it; a change that comes between is met when the timer comes again
 */
export async function expireRegistration(context: Context, timer: JobRow): Promise<string> {
  const { storage } = context
  const atMs = context.clock.now()
  const known = await readRegistrationTree(storage, timer.subject_id, atMs)
  if (!known || known.registration.deletedAtMs !== null) {
    await commitChange(context, { compareAndSets: [jobDone(timer)] })
    return 'had ended'
  }
  const { registration: kept, expectedVersion, merchant } = known
  const registration = decide(kept, atMs)
  if (!registration) {
    const rows = { registration: [registrationRow(kept, merchant)] }
    await commitChange(context, { expectedVersions: [expectedVersion], rows })
    return 'was used and lives on'
  }
  const plans = await endingPlans(storage, registration.id, { why: 'the registration has expired', atMs })
  const id = context.ids.ordered()
  const unit = registrationUnit(
    { atMs },
    known,
    { id, type: 'DR', echo: {} },
    {
      kind: 'go',
      registration,
      outcome: outcomeOf(known.root),
      account: 'none',
      compareAndSets: [...plans, jobDone(timer)],
    },
  )
  const ended = await commitChange(context, unitOf(id, unit))
  return ended ? 'ended' : CHANGED
}
