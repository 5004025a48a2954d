import { deregister as decide } from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { ChangeRequest } from '../requests.ts'
import { type Outcome, resultView } from '../records/outcome.ts'
import { endingPlans } from '../records/end-plans.ts'
import { registrationDone } from '../records/registration-record.ts'
import { changeRegistration } from './change-registration.ts'

const outcomeOf = (root: TransactionRow): Outcome => ({
  result: resultView(registrationDone(root)),
  resultDetails: { ExtendedDescription: 'The stored payment details are erased.' },
})

/**
 * DR: ends a registration and its plans, and shreds its card. Payments made with it own a sealed number each and stay
 * refundable.
 */
export function deregister(context: Context, request: ChangeRequest): Promise<PendingUnit> {
  return changeRegistration(context, request, 'DR', async ({ root }, subject) => {
    const decision = decide(subject)
    if (decision.kind !== 'go') return decision
    const end = { why: 'the registration was deregistered', atMs: request.atMs }
    const compareAndSets = await endingPlans(context.storage, subject.registration.id, end)
    return { ...decision, outcome: outcomeOf(root), account: 'none', compareAndSets }
  })
}
