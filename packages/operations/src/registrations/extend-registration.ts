import { extendRegistration as decide } from '@tollgate/domain'
import { formatTime } from '../answer.ts'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { ChangeRequest } from '../requests.ts'
import { accountExpiresAtMs } from '../records/registration-record.ts'
import { changeOutcome } from '../records/registration-tree.ts'
import { changeRegistration } from './change-registration.ts'

/** TE: extends the retention of a registration. */
export function extendRegistration(context: Context, request: ChangeRequest): Promise<PendingUnit> {
  return changeRegistration(context, request, 'TE', async ({ account, root }, subject) => {
    const { id, createdAtMs } = subject.registration
    const usedAtMs = (await context.storage.lastUse(id)) ?? createdAtMs
    const decision = decide(subject, { accountExpiresAtMs: accountExpiresAtMs(account), usedAtMs })
    if (decision.kind !== 'go') return decision
    const { result, resultDetails } = changeOutcome(root, 'The payment details are kept for longer.')
    const RetainedUntil = formatTime(decision.registration.expiresAtMs)
    return { ...decision, outcome: { result, resultDetails: { ...resultDetails, RetainedUntil } } }
  })
}
