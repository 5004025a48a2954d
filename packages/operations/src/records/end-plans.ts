import type { Storage, CompareAndSet } from '@tollgate/storage'
import { limits } from '../limits.ts'
import { endPlan, planChanges } from './plan-record.ts'

/** The end of a registration's plans. */
interface EndOfPlans {
  /** The reason, as answers show it to merchants. */
  readonly reason: string
  readonly atMs: number
  /** The id of a plan that the same unit changes already. */
  readonly except?: string
}

/**
 * The end of every active plan of a registration, for the unit that ends the registration or stores a decline that
 * forbids further charges of its account.
 *
 * @returns compare-and-sets of plans and of their timers; none if no plan is active
 */
export async function endPlans(
  storage: Storage,
  registrationId: string,
  { reason, atMs, except }: EndOfPlans,
): Promise<readonly CompareAndSet[]> {
  const compareAndSets: CompareAndSet[] = []
  for (const row of await storage.schedulesOf(registrationId, limits.plansOfRegistrationMax)) {
    if (!row.active || row.id === except) continue
    const timer = await storage.job(row.id)
    const after = endPlan(row, reason, atMs)
    // A plan without a timer was changed between the two reads: the compare-and-set fails, and the operation decides
    // again.
    compareAndSets.push(
      ...(timer ? planChanges(row, timer, after) : [{ table: 'schedule' as const, from: row, to: after.row }]),
    )
  }
  return compareAndSets
}
