import { limits } from '../limits.ts'

/** @returns undefined where a refusal may leave now, else a promise of when, within `limits.refusalWaitMsMax` */
export type RefusalPacing = () => Promise<void> | undefined

/** What a pace needs of the world: does something after a time, in milliseconds. */
type Later = (work: () => void, ms: number) => void

/**
 * When refusals leave: at once, as long as there are not too many of them, then one after the other. A refusal costs as
 * much as HTTP does, and whoever floods sends the next request when he has it: at its own pace a flood of refusals
 * would take the processor from those who are not refused. Nobody loses by waiting: each says to come again later.
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
    // More than this wait only where somebody holds thousands of connections.
    if (waiting.length * limits.refusalStepMs >= limits.refusalWaitMsMax * limits.refusalsAStep) return undefined
    return new Promise((leave) => void waiting.push(leave))
  }
}
