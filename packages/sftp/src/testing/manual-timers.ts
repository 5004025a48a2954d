import type { Timers } from '../timers.ts'

/** Timers of a test, whose time passes only by `advance`. */
export interface ManualTimers extends Timers {
  readonly advance: (ms: number) => void
}

export function createManualTimers(): ManualTimers {
  const running = new Map<symbol, { readonly atMs: number; readonly onEnd: () => void }>()
  let nowMs = 0
  return {
    nowMs: () => nowMs,
    startTimer(ms, onEnd) {
      const timer = Symbol('timer')
      running.set(timer, { atMs: nowMs + ms, onEnd })
      return () => void running.delete(timer)
    },
    advance(ms) {
      nowMs += ms
      for (const [timer, { atMs, onEnd }] of running)
        if (atMs <= nowMs) {
          running.delete(timer)
          onEnd()
        }
    },
  }
}
