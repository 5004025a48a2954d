import { firstWhere } from './first-where.ts'
import type { Plan } from './plan.ts'
import { type Span, spansAfter } from './span.ts'

/**
 * From when nothing runs any more if a plan is called off now: after the notice, or (`DURATION_END`) at the end of the
 * first term that the notice still reaches. Terms follow each other without end. What runs before that is charged.
 *
 * @param descheduledAtMs epoch milliseconds
 * @returns epoch milliseconds; never later than the plan ends anyhow
 */
export function effectiveEnd(plan: Plan, descheduledAtMs: number): number {
  return Math.min(calledOff(plan, descheduledAtMs), plan.endsAtMs ?? Number.POSITIVE_INFINITY)
}

function calledOff({ callable, duration, notice, termsFromMs, timeZone }: Plan, atMs: number): number {
  const given: Span = notice ?? { unit: 'SECOND', number: 0 }
  if (callable === 'ANYTIME' || !duration) return spansAfter(atMs, given, 1, timeZone)
  const endOf = (term: number): number => spansAfter(termsFromMs, duration, term, timeZone)
  const isReached = (term: number): boolean => spansAfter(endOf(term), given, -1, timeZone) >= atMs
  let far = 1
  while (!isReached(far)) far *= 2
  return endOf(firstWhere(1, far, isReached))
}
