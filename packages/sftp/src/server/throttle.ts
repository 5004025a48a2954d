import { serverLimits } from '../limits.ts'
import { orAborted } from '../or-aborted.ts'
import type { Timers } from '../timers.ts'

/** Bounds the bytes of a session per second. */
export interface Throttle {
  /** Resolves when so many bytes may be transferred, or when the signal aborts. */
  readonly take: (bytes: number, signal: AbortSignal) => Promise<void>
}

/** Creates a throttle, whose session may be ahead of its rate for `serverLimits.burstMs`. */
export function createThrottle(bytesPerSecond: number, { nowMs, startTimer }: Timers): Throttle {
  let freeAtMs = nowMs()
  return {
    async take(bytes, signal) {
      freeAtMs = Math.max(freeAtMs, nowMs()) + (bytes / bytesPerSecond) * 1000
      const waitMs = freeAtMs - nowMs() - serverLimits.burstMs
      if (waitMs <= 0) return
      let endTimer: (() => void) | undefined
      await orAborted(signal, (onEnd) => {
        endTimer = startTimer(waitMs, onEnd)
      })
      endTimer?.()
    },
  }
}
