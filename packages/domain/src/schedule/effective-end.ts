import { firstWhere } from './first-where.ts'
import type { Plan } from './plan.ts'
import { type Span, spansAfter } from './span.ts'

/**
 * The end of a plan that is cancelled now: after the notice period, or (`DURATION_END`) at the first end of a term that
 * is not within the notice period. Terms follow each other without end. Runs before the end are charged.
 *
 * @param descheduledAtMs epoch milliseconds
 * @returns epoch milliseconds; at most the planned end
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
