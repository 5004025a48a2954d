import { type Echo, echoOf, InvariantError, parametersOf } from '@tollgate/contract'
import { nextRun, type Plan, readPlan, type Refused } from '@tollgate/domain'
import type { JobRow, ScheduleRow, CompareAndSet } from '@tollgate/storage'
import { type Static, Type } from 'typebox'
import { jobDone, jobDue } from '../job-transitions.ts'
import { moneyOf, readMoney } from '../parameters/money.ts'
import { storedReader, texts } from './stored-json.ts'

/** The stored definition of a plan, which never changes. */
const schema = Type.Object({
  /** As they were sent, by canonical names: the job, and what each charge sends. Never a secret. */
  parameters: texts,
  /** Time zone of its times. */
  timeZone: Type.String(),
  /** Time at which the job was created. */
  madeAtMs: Type.Integer(),
})
export type PlanRecord = Readonly<Static<typeof schema>>
const readRecord = storedReader(schema)

export const planRecord = ({ plan }: Pick<ScheduleRow, 'plan'>): PlanRecord => readRecord(plan)

export const isOfJob = (name: string): boolean => name.startsWith('job.')

export const echoOfPlan = ({ parameters }: PlanRecord): Echo => echoOf(parametersOf(parameters))

/** The amount of each charge. It was validated when the plan was created. */
export function amountOfPlan({ parameters }: PlanRecord): { readonly amountMinor: number; readonly currency: string } {
  const { amount, currency } = moneyOf(readMoney(parametersOf(parameters)))
  if (amount.kind !== 'amount') throw new InvariantError('stored schedule has no valid amount')
  return { amountMinor: amount.amountMinor, currency }
}

/** @returns what `readPlan` does; of a record that is stored already, never a refusal */
export const planOfRecord = (record: PlanRecord): Plan | Refused => readPlan(parametersOf(record.parameters), record)

/** The plan of a row, until the end that it has now. */
export function planOf(row: ScheduleRow): Plan {
  const plan = planOfRecord(planRecord(row))
  if (plan.kind === 'refused') throw new InvariantError('stored schedule is refused', row.id)
  return { ...plan, endsAtMs: row.ends_at_ms ?? undefined }
}

/** The first run that is neither made nor passed over; it may have been due for long. */
export const firstRunOf = ({ last_run_at_ms }: ScheduleRow, plan: Plan): number | undefined =>
  nextRun(plan, last_run_at_ms ?? plan.startsAtMs - 1)

/** A plan after a change, and the due time of its timer: null once it has ended. */
export interface Continued {
  readonly row: ScheduleRow
  readonly dueAtMs: number | null
}

/** A plan whose last run is settled: it waits for the next one, or for its end. */
export function continued(row: ScheduleRow, plan: Plan, nowMs: number): Continued {
  const settled: ScheduleRow = { ...row, attempts: 0, attempted_at_ms: null }
  const nextAtMs = firstRunOf(row, plan)
  if (nextAtMs !== undefined) return { row: settled, dueAtMs: nextAtMs }
  if (plan.endsAtMs !== undefined && plan.endsAtMs > nowMs) return { row: settled, dueAtMs: plan.endsAtMs }
  return ended(settled, row.descheduled_at_ms === null ? 'its last run is over' : 'it was called off', nowMs)
}

/** A plan that is over, now if not before. */
export const ended = (row: ScheduleRow, why: string, nowMs: number): Continued => ({
  row: {
    ...row,
    attempts: 0,
    attempted_at_ms: null,
    active: 0,
    ends_at_ms: Math.min(row.ends_at_ms ?? nowMs, nowMs),
    ended: why,
  },
  dueAtMs: null,
})

/** A plan becomes another, and its timer with it. */
export const planChanges = (
  from: ScheduleRow,
  timer: JobRow,
  { row: to, dueAtMs }: Continued,
): readonly CompareAndSet[] => [
  { table: 'schedule', from, to },
  dueAtMs === null ? jobDone(timer) : jobDue(timer, dueAtMs),
]
