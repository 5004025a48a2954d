import { parametersOf } from '@tollgate/contract'
import { type Plan, nextRun } from '@tollgate/domain'
import type { ScheduleRow } from '@tollgate/storage'
import { formatTime } from '../answer.ts'
import { readPurpose } from '../parameters/purpose.ts'
import type { PlanView } from '../records/outcome.ts'
import { planOf, planRecord } from '../records/plan-record.ts'

/** @param dueAtMs when its timer is due; null where it has none any more */
export function planView(row: ScheduleRow, dueAtMs: number | null, nowMs: number): PlanView {
  const { parameters, timeZone } = planRecord(row)
  return {
    active: row.active ? 'true' : 'false',
    paymentType: readPurpose(parametersOf(parameters)).type,
    timeZone,
    chain: row.chain_id,
    nextRun: row.active ? shown(comingRun(row, planOf(row), nowMs)) : undefined,
    retry: row.attempts > 0 ? shown(dueAtMs) : undefined,
    lastRun: shown(row.last_run_at_ms),
    effectiveEnd: shown(row.ends_at_ms),
    ended: row.ended ?? undefined,
  }
}

const shown = (atMs: number | null | undefined) => (atMs === null || atMs === undefined ? undefined : formatTime(atMs))

/** Whether overdue runs will be made is not known yet. */
const comingRun = ({ last_run_at_ms }: ScheduleRow, plan: Plan, nowMs: number): number | undefined =>
  nextRun(plan, Math.max(last_run_at_ms ?? 0, nowMs - 1))
