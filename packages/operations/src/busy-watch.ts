import type { CommandHandler } from './command-handler.ts'
import { limits } from './limits.ts'
import type { LoopTimes } from './wait.ts'

/** What `watchBusy` depends on. */
export interface BusyWatchParts {
  readonly commands: Pick<CommandHandler, 'units'>
  readonly eventLoop: Pick<LoopTimes, 'now' | 'busyMs'>
}

/**
 * Watches whether there are many payments beside bulk work, which then works in shorter steps with pauses.
 *
 * @returns a function that returns the factor of the pause after a step: 0 if requests have committed at most
 *   `limits.busyUnitsPerSecond` units a second since the last count; 1 after a factor of 0, because the event loop was
 *   busy with bulk work until then, and until the first count; otherwise the busy time ÷ the idle time of the event
 *   loop since the last count, within `limits.pauseFactor`
 */
export function watchBusy({ commands: { units }, eventLoop: { now, busyMs } }: BusyWatchParts): () => number {
  let factor = 1
  let sinceMs = now()
  let busyBeforeMs = busyMs()
  let unitsBefore = units()
  return () => {
    const elapsedMs = now() - sinceMs
    if (elapsedMs < (factor > 0 ? limits.busyEndWindowMs : limits.busyWindowMs)) return factor
    const unitsNow = units()
    const busyNowMs = busyMs()
    const isBusy = (unitsNow - unitsBefore) * 1000 > limits.busyUnitsPerSecond * elapsedMs
    if (isBusy) factor = factor === 0 ? 1 : factorOf(busyNowMs - busyBeforeMs, elapsedMs)
    else factor = 0
    sinceMs += elapsedMs
    busyBeforeMs = busyNowMs
    unitsBefore = unitsNow
    return factor
  }
}

/** The busy time ÷ the idle time of a period, to which the mean wait in a queue is proportional. */
function factorOf(busyMs: number, elapsedMs: number): number {
  const { min, max } = limits.pauseFactor
  return Math.min(max, Math.max(min, busyMs / Math.max(0, elapsedMs - busyMs)))
}
