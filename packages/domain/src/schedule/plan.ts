import { type Form, jobExpression, type ResultCode, SECOND_MS } from '@tollgate/contract'
import { invariant, type Refused, refused } from '../guard.ts'
import { nextFire } from './next-fire.ts'
import { parseQuartz, type Quartz } from './quartz.ts'
import { isSpanUnit, type Span, spanMax } from './span.ts'
import { instantMs } from '../time-zone.ts'

/** The run times of a job, its start and end, and the notice period and terms that decide when a cancelled job ends. */
export interface Plan {
  readonly kind: 'plan'
  readonly expression: Quartz
  /** IANA time zone of the expression, of the dates, and of the days and months of `notice` and `duration`. */
  readonly timeZone: string
  /** Start of the first term: `job.startDate`, else the creation of the plan. */
  readonly firstTermStartsAtMs: number
  /** The lower bound of runs: `firstTermStartsAtMs`, but never before the plan was created. */
  readonly startsAtMs: number
  /** The exclusive upper bound of runs: the second after `job.endDate`, or the end of a cancelled job. */
  readonly endsAtMs: number | undefined
  readonly notice: Span | undefined
  /** The length of each term. */
  readonly duration: Span | undefined
  /** Whether the job ends after the notice period, or at the end of a term. */
  readonly callable: 'ANYTIME' | 'DURATION_END'
}

/** The input of `readPlan` besides the parameters of the request. */
export interface PlanOrigin {
  /** A name for which `isTimeZone` returns true. */
  readonly timeZone: string
  readonly madeAtMs: number
}

/**
 * The plan that the parameters `job.*` of a request describe. The same parameters and origin give the same plan, so
 * that the parameters are stored instead of the plan.
 *
 * @param job parameters that have passed `checkForm`
 * @returns refusals of `parseQuartz`; 100.250.106 for a duration that is missing, incomplete, zero or too long;
 * 100.250.107 for a notice that is incomplete or too long; 100.250.100 for a job that never runs
 */
export function readPlan(job: Pick<Form, 'values'>, { timeZone, madeAtMs }: PlanOrigin): Plan | Refused {
  const { values } = job
  const expression = parseQuartz(jobExpression(job), values.has('job.expression') ? 'expression' : 'fields')
  if (expression.kind === 'refused') return expression
  const startMs = timeOf(values.get('job.startDate'), timeZone)
  const endMs = timeOf(values.get('job.endDate'), timeZone)
  if (startMs !== undefined && endMs !== undefined && endMs < startMs) {
    return refused('100.250.100', 'job.endDate is before job.startDate')
  }

  const notice = readSpan(values, 'notice')
  if (notice && 'code' in notice) return notice
  const duration = readSpan(values, 'duration')
  if (duration && 'code' in duration) return duration
  if (duration?.number === 0) return refused(spanCodes.duration, 'job.durationNumber must be 1 or more')
  const callable = values.get('job.noticeCallable') === 'DURATION_END' ? 'DURATION_END' : 'ANYTIME'
  if (callable === 'DURATION_END' && !duration) {
    return refused(
      spanCodes.duration,
      'job.durationUnit and job.durationNumber are missing: job.noticeCallable=DURATION_END needs them',
    )
  }

  const plan: Plan = {
    kind: 'plan',
    expression,
    timeZone,
    firstTermStartsAtMs: startMs ?? madeAtMs,
    startsAtMs: Math.max(startMs ?? madeAtMs, madeAtMs),
    endsAtMs: endMs === undefined ? undefined : endMs + SECOND_MS,
    notice,
    duration,
    callable,
  }
  if (nextRun(plan, plan.startsAtMs - 1) !== undefined) return plan
  return refused(
    '100.250.100',
    'the job would never run: its expression has no time between its start and its end, up to 2099',
  )
}

/**
 * The next run of a plan.
 *
 * @param afterMs epoch milliseconds, exclusive
 * @returns epoch milliseconds; undefined if the plan has no later run
 */
export function nextRun(plan: Plan, afterMs: number): number | undefined {
  const atMs = nextFire(plan.expression, Math.max(afterMs, plan.startsAtMs - 1), plan.timeZone)
  return atMs !== undefined && atMs < (plan.endsAtMs ?? Number.POSITIVE_INFINITY) ? atMs : undefined
}

/** The instant of yyyy-MM-dd HH:mm:ss in the time zone of the plan. */
function timeOf(text: string | undefined, timeZone: string): number | undefined {
  if (text === undefined) return undefined
  const wallMs = Date.parse(`${text.replace(' ', 'T')}Z`)
  invariant(!Number.isNaN(wallMs), 'dates have passed checkForm')
  return instantMs(timeZone, wallMs)
}

const spanCodes: Readonly<Record<'notice' | 'duration', ResultCode>> = {
  notice: '100.250.107',
  duration: '100.250.106',
}

function readSpan(values: Form['values'], span: 'notice' | 'duration'): Span | Refused | undefined {
  const code = spanCodes[span]
  const unit = values.get(`job.${span}Unit`)
  const text = values.get(`job.${span}Number`)
  if (unit === undefined && text === undefined) return undefined
  if (unit === undefined || !isSpanUnit(unit)) {
    return refused(code, `job.${span}Unit is missing or unknown: it must be YEAR to SECOND`)
  }
  if (text === undefined) return refused(code, `job.${span}Number is missing`)
  // 16 digits may exceed the exact integers of a number, but rounding never puts them below the bound.
  const [number, max] = [Number(text), spanMax(unit)]
  if (!(number <= max)) return refused(code, `job.${span}Number must be at most ${max} ${unit}: a hundred years`)
  return { unit, number }
}
