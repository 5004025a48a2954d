import type { Clock } from '@tollgate/operations'
import { limits } from '../../limits.ts'

/** A step back of the machine's clock. */
export interface StepBack {
  /** Milliseconds between the machine's time and the latest time that this clock has returned. */
  readonly behindMs: number
  /**
   * slowed: time runs at half speed until the machine has caught up. followed: the machine was far ahead, and this
   * clock goes back with it.
   */
  readonly response: 'slowed' | 'followed'
}

interface Options {
  /** The latest time that an earlier process has stored, epoch milliseconds. */
  readonly latestMs?: number
  /** Called for a step back; for small ones at most once in `limits.clockWarningEveryMs`. */
  readonly onStepBack?: (step: StepBack) => void
}

/**
 * A clock that follows the machine's clock but does not go back with it, because expiries, windows of rate limits,
 * overlaps of rotated keys and tokens, and ids depend on the order of times. While the machine's clock is behind, this
 * clock runs at half speed, so that it neither stops nor stays wrong. If the machine's clock is more than
 * `limits.clockBackMsMax` behind, it was far ahead and has been corrected: only then does this clock go back (decision
 * 0028).
 */
export function forwardClock(machine: Clock, { latestMs = 0, onStepBack = () => {} }: Options = {}): Clock {
  let latest = latestMs
  /** While the machine's clock is behind: the time of both clocks at its step back, and the machine's latest time. */
  let slow: { readonly fromMs: number; readonly machineFromMs: number; machineMs: number } | undefined
  let reportedMs = Number.NEGATIVE_INFINITY

  function report(step: StepBack): void {
    if (step.response === 'slowed' && latest - reportedMs < limits.clockWarningEveryMs) return
    reportedMs = latest
    onStepBack(step)
  }

  function timeWhileBehind(machineMs: number): number {
    const behindMs = latest - machineMs
    if (behindMs > limits.clockBackMsMax) {
      slow = undefined
      latest = machineMs
      report({ behindMs, response: 'followed' })
      return latest
    }
    if (!slow || machineMs < slow.machineMs) {
      slow = { fromMs: latest, machineFromMs: machineMs, machineMs }
      report({ behindMs, response: 'slowed' })
    }
    slow.machineMs = machineMs
    latest = slow.fromMs + Math.floor((machineMs - slow.machineFromMs) / 2)
    return latest
  }

  return {
    now() {
      const machineMs = machine.now()
      if (machineMs < latest) return timeWhileBehind(machineMs)
      slow = undefined
      latest = machineMs
      return machineMs
    },
  }
}
