import { parametersOf } from '@tollgate/contract'
import { type Plan, nextRun } from '@tollgate/domain'
import type { ScheduleRow } from '@tollgate/storage'
import { formatTime } from '../answer.ts'
import { readPurpose } from '../parameters/purpose.ts'
import type { PlanView } from '../records/outcome.ts'
import { planOf, planRecord } from '../records/plan-record.ts'

/**
 * The fields of a plan in answers.
 *
 * @param dueAtMs the due time of the plan's timer; null if the plan has none
 */
export function planView(row: ScheduleRow, dueAtMs: number | null, nowMs: number): PlanView {
  const { parameters, timeZone } = planRecord(row)
  return {
    active: row.active ? 'true' : 'false',
    paymentType: readPurpose(parametersOf(parameters)).type,
    timeZone,
    chain: row.chain_id,
    nextRun: row.active ? optionalTime(nextRunFromNow(row, planOf(row), nowMs)) : undefined,
    retry: row.attempts > 0 ? optionalTime(dueAtMs) : undefined,
    lastRun: optionalTime(row.last_run_at_ms),
    effectiveEnd: optionalTime(row.ends_at_ms),
    ended: row.ended ?? undefined,
  }
}

const optionalTime = (atMs: number | null | undefined) =>
  atMs === null || atMs === undefined ? undefined : formatTime(atMs)

/** The next run from now on, because overdue runs may be skipped. */
const nextRunFromNow = ({ last_run_at_ms }: ScheduleRow, plan: Plan, nowMs: number): number | undefined =>
  nextRun(plan, Math.max(last_run_at_ms ?? 0, nowMs - 1))
