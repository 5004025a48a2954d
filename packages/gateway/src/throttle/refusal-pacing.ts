import { limits } from '../limits.ts'

/** @returns undefined where a refusal may be sent now, else a promise that resolves within `limits.refusalWaitMsMax` */
export type RefusalPacing = () => Promise<void> | undefined

/** Runs `work` after a time, in milliseconds. */
type Later = (work: () => void, ms: number) => void

/**
 * Paces refusals: a burst is sent at once, the rest in steps. A refusal costs as much processor time as HTTP does, and
 * a flooding client sends its next request when it has the refusal of the last one; unpaced, refusals would take the
 * processor from admitted requests. A delayed refusal harms no client: it contains a time for the retry.
 */
export function createRefusalPacing(later: Later = (work, ms) => void setTimeout(work, ms).unref()): RefusalPacing {
  const waiting: (() => void)[] = []
  let left: number = limits.refusalsAStep
  let isPlanned = false

  function plan(): void {
    if (isPlanned) return
    isPlanned = true
    later(step, limits.refusalStepMs)
  }

  function step(): void {
    isPlanned = false
    const leaving = waiting.splice(0, limits.refusalsAStep)
    left = limits.refusalsAStep - leaving.length
    for (const leave of leaving) leave()
    if (leaving.length > 0) plan()
  }

  return () => {
    plan()
    if (left > 0) {
      left -= 1
      return undefined
    }
    // Only a client with thousands of connections exceeds this.
    if (waiting.length * limits.refusalStepMs >= limits.refusalWaitMsMax * limits.refusalsAStep) return undefined
    return new Promise((leave) => void waiting.push(leave))
  }
}
