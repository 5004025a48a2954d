import { expireRegistration as decide } from '@tollgate/domain'
import type { JobRow, TransactionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
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
export async function expireRegistration({ storage, ids, clock }: Context, timer: JobRow): Promise<string> {
  const atMs = clock.now()
  const id = ids.ordered()
  const known = await readRegistrationTree(storage, timer.subject_id, atMs)
  const ends = { table: 'job', from: timer, to: null } as const
  if (!known || known.registration.deletedAtMs !== null) {
    await storage.commit({ id, expectedVersions: [], compareAndSets: [ends], rows: {} })
    return 'had ended'
  }
  const { registration: kept, expectedVersion, merchant } = known
  const registration = decide(kept, atMs)
  if (!registration) {
    await storage.commit({
      id,
      expectedVersions: [expectedVersion],
      rows: { registration: [registrationRow(kept, merchant)] },
    })
    return 'was used and lives on'
  }
  const compareAndSets = await endingPlans(storage, registration.id, { why: 'the registration has expired', atMs })
  const { unit } = registrationUnit(
    { atMs },
    known,
    { id, type: 'DR', echo: {} },
    {
      kind: 'go',
      registration,
      outcome: outcomeOf(known.root),
      account: 'none',
      compareAndSets,
    },
  )
  const { kind } = await storage.commit({ ...unit, id, compareAndSets: [...(unit.compareAndSets ?? []), ends] })
  return kind === 'committed' ? 'ended' : 'was changed meanwhile'
}
