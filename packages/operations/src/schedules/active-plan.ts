import { InvariantError } from '@tollgate/contract'
import { type Refused, refused, type Unknown } from '@tollgate/domain'
import type { JobRow, ScheduleRow } from '@tollgate/storage'
import { formatTime } from '../answer.ts'
import type { Context } from '../context.ts'
import type { PathRequest } from '../requests.ts'
import { limits } from '../limits.ts'
import { placeOf } from '../directory/visibility.ts'
import { readRegistrationTree, type RegistrationTree } from '../records/registration-tree.ts'

/** A plan that can still be changed, with its timer and its registration. */
export interface LivePlan {
  readonly kind: 'live'
  readonly row: ScheduleRow
  readonly timer: JobRow
  readonly known: RegistrationTree
}

/** How the request is refused where there is none: it cannot be changed, or not be stopped. */
type NoneCode = '100.360.300' | '100.360.303'

/** The live plan of the chain of which the path names any plan; another merchant's looks like none. */
export async function livePlan(
  context: Context,
  request: PathRequest,
  code: NoneCode,
): Promise<LivePlan | Refused | Unknown> {
  const { storage } = context
  const named = await storage.schedule(request.id)
  const place = named ? placeOf(context, request, named) : 'unknown'
  if (!named || place === 'unknown') return { kind: 'unknown', code, reason: 'there is no such plan' }
  if (place === 'elsewhere') return refused('700.400.700', 'the plan was made on another channel')
  // Before the plan, so that a registration that ends in between is met by its expectedVersion.
  const known = await readRegistrationTree(storage, named.registration_id, request.atMs)
  for (let round = 0; round < limits.planReadTriesMax; round += 1) {
    const chain = await storage.scheduleChain(named.chain_id, limits.plansOfChainMax)
    const row = chain.find(({ active }) => active)
    if (!row) return refused(code, `the plan has ended: ${chain.at(-1)?.ended ?? 'it is over'}`)
    if (row.descheduled_at_ms !== null)
      return refused(code, `the plan was called off and ends at ${formatTime(row.ends_at_ms ?? row.descheduled_at_ms)}`)
    const timer = await storage.job(row.id)
    // Without a timer it has ended, or was rescheduled, between these two reads.
    if (timer && known) return { kind: 'live', row, timer, known }
  }
  throw new InvariantError('active schedule has no timer or no registration', named.id)
}
