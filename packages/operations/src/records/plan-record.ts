import { type Echo, echoOf, InvariantError, parametersOf } from '@tollgate/contract'
import { nextRun, type Plan, readPlan, type Refused } from '@tollgate/domain'
import type { JobRow, ScheduleRow, CompareAndSet } from '@tollgate/storage'
import { type Static, Type } from 'typebox'
import { jobDone, jobDue } from '../job-transitions.ts'
import { moneyOf, readMoney } from '../parameters/money.ts'
import { storedReader, texts } from './stored-json.ts'

/** The stored definition of a plan, which never changes. */
const schema = Type.Object({
  /** The sent parameters by canonical name: `job.*`, and those of each charge. Secrets are never stored. */
  parameters: texts,
  /** The time zone of the plan's times. */
  timeZone: Type.String(),
  /** Time at which the plan was created. */
  madeAtMs: Type.Integer(),
})
export type PlanRecord = Readonly<Static<typeof schema>>
const readRecord = storedReader(schema)

export const planRecord = ({ plan }: Pick<ScheduleRow, 'plan'>): PlanRecord => readRecord(plan)

export const isJobParameter = (name: string): boolean => name.startsWith('job.')

export const echoOfPlan = ({ parameters }: PlanRecord): Echo => echoOf(parametersOf(parameters))

/** The amount of each charge. It was validated when the plan was created. */
export function amountOfPlan({ parameters }: PlanRecord): { readonly amountMinor: number; readonly currency: string } {
  const { amount, currency } = moneyOf(readMoney(parametersOf(parameters)))
  if (amount.kind !== 'amount') throw new InvariantError('stored schedule has no valid amount')
  return { amountMinor: amount.amountMinor, currency }
}

/** @returns the result of `readPlan`, which never refuses a record that is stored already */
export const planOfRecord = (record: PlanRecord): Plan | Refused => readPlan(parametersOf(record.parameters), record)

/** The plan of a row, with its current end. */
export function planOf(row: ScheduleRow): Plan {
  const plan = planOfRecord(planRecord(row))
  if (plan.kind === 'refused') throw new InvariantError('stored schedule is refused', row.id)
  return { ...plan, endsAtMs: row.ends_at_ms ?? undefined }
}

/**
 * The planned time of the first run that was neither attempted nor skipped, which may be long past; undefined if no run
 * remains.
 */
export const firstRunOf = ({ last_run_at_ms }: ScheduleRow, plan: Plan): number | undefined =>
  nextRun(plan, last_run_at_ms ?? plan.startsAtMs - 1)

/** A plan after a change, and the due time of its timer: null once it has ended. */
export interface ChangedPlan {
  readonly row: ScheduleRow
  readonly dueAtMs: number | null
}

/**
 * The plan with its timer due at the first remaining run or, if no run remains, at the end of the plan. If the plan has
 * neither a remaining run nor a later end, it ends now.
 */
export function continuePlan(row: ScheduleRow, plan: Plan, nowMs: number): ChangedPlan {
  const unattempted: ScheduleRow = { ...row, attempts: 0, attempted_at_ms: null }
  const nextAtMs = firstRunOf(row, plan)
  if (nextAtMs !== undefined) return { row: unattempted, dueAtMs: nextAtMs }
  if (plan.endsAtMs !== undefined && plan.endsAtMs > nowMs) return { row: unattempted, dueAtMs: plan.endsAtMs }
  return endPlan(unattempted, row.descheduled_at_ms === null ? 'its last run is over' : 'it was descheduled', nowMs)
}

/** Ends a plan now, or at its end if that has passed. */
export const endPlan = (row: ScheduleRow, reason: string, nowMs: number): ChangedPlan => ({
  row: {
    ...row,
    attempts: 0,
    attempted_at_ms: null,
    active: 0,
    ends_at_ms: Math.min(row.ends_at_ms ?? nowMs, nowMs),
    ended: reason,
  },
  dueAtMs: null,
})

/** The compare-and-sets of a changed plan and of its timer. */
export const planChanges = (
  from: ScheduleRow,
  timer: JobRow,
  { row: to, dueAtMs }: ChangedPlan,
): readonly CompareAndSet[] => [
  { table: 'schedule', from, to },
  dueAtMs === null ? jobDone(timer) : jobDue(timer, dueAtMs),
]
