import { deregister as decide } from '@tollgate/domain'
import type { Proposal } from '../../funnel.ts'
import type { Gateway } from '../../gateway.ts'
import type { Call } from '../../http/public/route.ts'
import { type Outcome, resultView } from '../records/outcome.ts'
import { endingPlans } from '../schedules/end-plans.ts'
import { REGISTRATION_DONE } from './registration-record.ts'
import { changeRegistration } from './registration-tree.ts'

const OUTCOME: Outcome = {
  result: resultView(REGISTRATION_DONE),
  resultDetails: { ExtendedDescription: 'The stored payment details are erased.' },
}

/**
 * DR: ends a registration and its plans, and shreds its card. Payments made with it own a sealed number each and stay
 * refundable.
 */
export function deregister(gateway: Gateway, call: Call): Promise<Proposal> {
  return changeRegistration(gateway, call, 'DR', async (_known, subject) => {
    const decision = decide(subject)
    if (decision.kind !== 'go') return decision
    const end = { why: 'the registration was deregistered', atMs: call.atMs }
    const swaps = await endingPlans(gateway.storage, subject.registration.id, end)
    return { ...decision, outcome: OUTCOME, account: 'none', swaps }
  })
}
