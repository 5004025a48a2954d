import type { StartTimer, Wait } from '@tollgate/operations'

/** A `Wait` without timers: a wait ends when the test calls `pass`. */
export interface ManualWait {
  readonly wait: Wait
  readonly startTimer: StartTimer
  /** The waits so far, in milliseconds. */
  readonly waitsMs: readonly number[]
  /**
   * Ends every wait, and resolves after 50 turns of the event loop, in which the waiting code runs to its next wait.
   */
  pass(): Promise<void>
}

export function manualWait(): ManualWait {
  const waitsMs: number[] = []
  let waiting: (() => void)[] = []
  return {
    waitsMs,
    wait: (ms, signal) =>
      new Promise<void>((resolve) => {
        waitsMs.push(ms)
        waiting.push(resolve)
        signal?.addEventListener('abort', () => resolve())
        if (signal?.aborted) resolve()
      }),
    startTimer(ms, onEnd) {
      waitsMs.push(ms)
      waiting.push(onEnd)
      return () => {
        waiting = waiting.filter((each) => each !== onEnd)
      }
    },
    async pass() {
      const ending = waiting
      waiting = []
      for (const end of ending) end()
      await eventLoopTurns()
    },
  }
}

/** Resolves after 50 turns of the event loop. */
export async function eventLoopTurns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => void setImmediate(resolve))
}
