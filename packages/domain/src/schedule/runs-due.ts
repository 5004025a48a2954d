import { SECOND_MS } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { firstWhere } from './first-where.ts'
import { nextRun, type Plan } from './plan.ts'

/** What becomes of runs that were missed: one is made in place of all, the newest dozen is, or none. */
export type CatchUp = 'ONCE' | 'ALL' | 'NONE'

const missedMax: Readonly<Record<CatchUp, number>> = { ONCE: 1, ALL: limits.missedRunsMax, NONE: 0 }

/** What a plan owes at a moment. */
export interface RunsDue {
  /** The times, planned for, of what is to be run now: ascending epoch milliseconds. */
  readonly runs: readonly number[]
  /** The last planned time that is settled once these have run: run or passed over. undefined if there was none yet. */
  readonly lastRunAtMs: number | undefined
}

/**
 * What is to be run now. A run is missed once it is more than a minute late; those on time are always made.
 *
 * @param lastRunAtMs as the last call answered; undefined for a plan that never ran
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
  const settledMs = newestMs ?? lastRunAtMs
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
  return { runs, lastRunAtMs: lastMs ?? settledMs }
}

/** The last run after one moment and up to another: the first second that no other follows until then. */
function latestRun(plan: Plan, afterMs: number, untilMs: number): number | undefined {
  const isLast = (second: number): boolean => (nextRun(plan, second * SECOND_MS) ?? untilMs + 1) > untilMs
  const [first, last] = [Math.floor(afterMs / SECOND_MS), Math.floor(untilMs / SECOND_MS)]
  return first >= last || isLast(first) ? undefined : firstWhere(first, last, isLast) * SECOND_MS
}
