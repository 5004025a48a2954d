import { SECOND_MS } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { firstWhere } from '../first-where.ts'
import { nextRun, type Plan } from './plan.ts'

/** The missed runs that are made up for: the newest (ONCE), the newest twelve (ALL), or none. */
export type CatchUp = 'ONCE' | 'ALL' | 'NONE'

const missedMax: Readonly<Record<CatchUp, number>> = { ONCE: 1, ALL: limits.missedRunsMax, NONE: 0 }

/** The runs of a plan that are due. */
export interface RunsDue {
  /** Planned times of the runs to make now, ascending epoch milliseconds. */
  readonly runs: readonly number[]
  /** The planned time of the last run that is made or skipped, `runs` included; undefined if there is none yet. */
  readonly lastRunAtMs: number | undefined
}

/**
 * The runs that are due now. A run counts as missed if it is more than a minute late; other runs are always made.
 *
 * @param lastRunAtMs the planned time of the last run that was made or skipped; undefined: none
 */
export function runsDue(
  plan: Plan,
  lastRunAtMs: number | undefined,
  nowMs: number,
  catchUp: CatchUp = 'ONCE',
): RunsDue {
  const fromMs = lastRunAtMs ?? plan.startsAtMs - 1
  const missedUntilMs = nowMs - limits.runLateMs - 1
  const runs: number[] = []

  let newestMs = latestRun(plan, fromMs, missedUntilMs)
  const lastMissedMs = newestMs ?? lastRunAtMs
  while (newestMs !== undefined && runs.length < missedMax[catchUp]) {
    runs.unshift(newestMs)
    newestMs = latestRun(plan, fromMs, newestMs - 1)
  }

  let onTimeMs = nextRun(plan, Math.max(fromMs, missedUntilMs))
  while (onTimeMs !== undefined && onTimeMs <= nowMs) {
    runs.push(onTimeMs)
    onTimeMs = nextRun(plan, onTimeMs)
  }
  const lastMs = runs.at(-1)
  return { runs, lastRunAtMs: lastMs ?? lastMissedMs }
}

/** The last run after `afterMs` and up to `untilMs`: the first second without a later run until then. */
function latestRun(plan: Plan, afterMs: number, untilMs: number): number | undefined {
  const isLast = (second: number): boolean => (nextRun(plan, second * SECOND_MS) ?? untilMs + 1) > untilMs
  const [first, last] = [Math.floor(afterMs / SECOND_MS), Math.floor(untilMs / SECOND_MS)]
  return first >= last || isLast(first) ? undefined : firstWhere(first, last, isLast) * SECOND_MS
}
