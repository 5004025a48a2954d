import { limits } from '../limits.ts'

/** @returns undefined if a refusal may be sent now, or a promise that resolves within `limits.refusalWaitMsMax` */
export type RefusalPacing = () => Promise<void> | undefined

/** Runs `work` after `ms` milliseconds. */
type Later = (work: () => void, ms: number) => void

/**
 * Paces refusals: a burst is sent at once, the rest in steps. A refusal takes the processor time of an HTTP request,
 * and a flooding client sends its next request when it has received a refusal; without pacing, refusals would take
 * processor time from admitted requests. A delayed refusal harms no client: it contains a time for the retry.
 */
export function createRefusalPacing(later: Later = (work, ms) => void setTimeout(work, ms).unref()): RefusalPacing {
  const waiting: (() => void)[] = []
  let remaining: number = limits.refusalsPerStep
  let isPlanned = false

  function plan(): void {
    if (isPlanned) return
    isPlanned = true
    later(step, limits.refusalStepMs)
  }

  function step(): void {
    isPlanned = false
    const released = waiting.splice(0, limits.refusalsPerStep)
    remaining = limits.refusalsPerStep - released.length
    for (const release of released) release()
    if (released.length > 0) plan()
  }

  return () => {
    plan()
    if (remaining > 0) {
      remaining -= 1
      return undefined
    }
    // More refusals wait than can be sent in time: this one is sent at once.
    if (waiting.length * limits.refusalStepMs >= limits.refusalWaitMsMax * limits.refusalsPerStep) return undefined
    return new Promise((release) => void waiting.push(release))
  }
}
