import type { LoopTimes } from '../wait.ts'

/** The times of an event loop that a test sets. */
export interface TestLoop extends LoopTimes {
  /** The waits, in milliseconds. */
  readonly waitsMs: readonly number[]
  /** Lets time pass, of which the event loop is busy for a part. */
  pass(ms: number, busyPart?: number): void
}

/** Creates an event loop in which a wait ends at once, after its time has passed. */
export function testLoop(): TestLoop {
  const waitsMs: number[] = []
  let [nowMs, busyMs] = [0, 0]
  const pass = (ms: number, busyPart = 0.5) => {
    nowMs += ms
    busyMs += ms * busyPart
  }
  return {
    waitsMs,
    pass,
    now: () => nowMs,
    busyMs: () => busyMs,
    async wait(ms) {
      waitsMs.push(ms)
      pass(ms)
    },
  }
}
