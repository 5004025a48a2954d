import { InvariantError } from '@tollgate/contract'
import { type Refused, refused, type Unknown } from '@tollgate/domain'
import type { JobRow, ScheduleRow } from '@tollgate/storage'
import { formatTime } from '../answer.ts'
import type { Context } from '../context.ts'
import type { PathRequest } from '../requests.ts'
import { limits } from '../limits.ts'
import { visibilityOf } from '../directory/visibility.ts'
import { readRegistrationTree, type RegistrationTree } from '../records/registration-tree.ts'

/** A plan that can still be changed, with its timer and its registration. */
export interface ActivePlan {
  readonly kind: 'active'
  readonly row: ScheduleRow
  readonly timer: JobRow
  readonly tree: RegistrationTree
}

/** The refusal's code if no plan can be changed: 100.360.300 for a reschedule, 100.360.303 for a deschedule. */
type NoPlanCode = '100.360.300' | '100.360.303'

/** The active plan of a chain, by the id of any plan of the chain. A plan of another merchant is unknown. */
export async function activePlan(
  context: Context,
  request: PathRequest,
  code: NoPlanCode,
): Promise<ActivePlan | Refused | Unknown> {
  const { storage } = context
  const requested = await storage.schedule(request.id)
  const visibility = requested ? visibilityOf(context, request, requested) : 'unknown'
  if (!requested || visibility === 'unknown') return { kind: 'unknown', code, reason: 'there is no such plan' }
  if (visibility === 'otherChannel') return refused('700.400.700', 'the plan was made on another channel')
  // The registration is read before the plan: if it ends in between, the commit fails at its expected version.
  const tree = await readRegistrationTree(storage, requested.registration_id, request.atMs)
  for (let tries = 0; tries < limits.planReadTriesMax; tries += 1) {
    const chain = await storage.scheduleChain(requested.chain_id, limits.plansOfChainMax)
    const row = chain.find(({ active }) => active)
    if (!row) return refused(code, `the plan has ended: ${chain.at(-1)?.ended ?? 'it is over'}`)
    if (row.descheduled_at_ms !== null)
      return refused(
        code,
        `the plan was descheduled and ends at ${formatTime(row.ends_at_ms ?? row.descheduled_at_ms)}`,
      )
    const timer = await storage.job(row.id)
    // A plan without a timer has ended or was rescheduled between the two reads.
    if (timer && tree) return { kind: 'active', row, timer, tree }
  }
  throw new InvariantError('active schedule has no timer or no registration', requested.id)
}
