import { deregister as decide } from '@tollgate/domain'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { ChangeRequest } from '../requests.ts'
import { changeRegistration } from './change-registration.ts'
import { endOfRegistration } from './end-registration.ts'

/**
 * DR: ends a registration and its plans, and erases its number. Payments made with the registration have their own
 * encrypted copies of the number and can still be refunded.
 */
export function deregister(context: Context, request: ChangeRequest): Promise<PendingUnit> {
  return changeRegistration(context, request, 'DR', async (tree, subject) => {
    const decision = decide(subject)
    if (decision.kind !== 'go') return decision
    return endOfRegistration(context, tree, decision.registration, {
      atMs: request.atMs,
      reason: 'the registration was deregistered',
      sentence: 'The stored payment details are erased.',
    })
  })
}
