import { expireRegistration as decide } from '@tollgate/domain'
import type { Gateway } from '../../gateway.ts'
import { type Outcome, resultView } from '../records/outcome.ts'
import { REGISTRATION_DONE, registrationRow } from './registration-record.ts'
import { readRegistrationTree, recordOf } from './registration-tree.ts'

const OUTCOME: Outcome = {
  result: resultView(REGISTRATION_DONE),
  resultDetails: { ExtendedDescription: 'The time to keep the payment details is over: they are erased.' },
}

/**
 * Ends a registration whose time has run out, with a DR of our own, and shreds its account. One that was used since its
 * time was reckoned lives on, with the time that follows from it. A change that comes between is met on the next round.
 */
export async function expireRegistration({ storage, ids }: Gateway, id: string, atMs: number): Promise<void> {
  const known = await readRegistrationTree(storage, id, atMs)
  if (!known || known.registration.deletedAtMs !== null) return
  const { registration: kept, guard, merchant } = known
  const registration = decide(kept, atMs)
  const unitId = ids.ordered()
  if (!registration) {
    await storage.commit({ id: unitId, guards: [guard], rows: { registration: [registrationRow(kept, merchant)] } })
    return
  }
  const about = { id: unitId, type: 'DR', atMs, echo: {}, merchantTransactionId: undefined }
  const change = { kind: 'go', registration, outcome: OUTCOME, account: 'none' } as const
  const { unit } = recordOf(known, about, change)
  await storage.commit({ ...unit, id: unitId })
}
