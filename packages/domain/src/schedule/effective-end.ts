import { firstWhere } from '../first-where.ts'
import type { Plan } from './plan.ts'
import { addSpans, type Span } from './span.ts'

/**
 * The end of a plan that is cancelled at `descheduledAtMs`: after the notice period, or (`DURATION_END`) at the first
 * end of a term that is not within the notice period. Each term begins at the end of the previous one. Runs before the
 * end are charged.
 *
 * @param descheduledAtMs epoch milliseconds
 * @returns epoch milliseconds; at most the planned end
 */
export function effectiveEnd(plan: Plan, descheduledAtMs: number): number {
  return Math.min(cancellationEnd(plan, descheduledAtMs), plan.endsAtMs ?? Number.POSITIVE_INFINITY)
}

function cancellationEnd({ callable, duration, notice, firstTermStartsAtMs, timeZone }: Plan, atMs: number): number {
  const noticePeriod: Span = notice ?? { unit: 'SECOND', number: 0 }
  if (callable === 'ANYTIME' || !duration) return addSpans(atMs, noticePeriod, 1, timeZone)
  const endOf = (term: number): number => addSpans(firstTermStartsAtMs, duration, term, timeZone)
  const endsAfterNotice = (term: number): boolean => addSpans(endOf(term), noticePeriod, -1, timeZone) >= atMs
  let last = 1
  while (!endsAfterNotice(last)) last *= 2
  return endOf(firstWhere(1, last, endsAfterNotice))
}
