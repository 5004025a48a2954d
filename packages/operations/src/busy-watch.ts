import type { Storage } from '@tollgate/storage'
import { limits } from './limits.ts'
import type { LoopTimes } from './wait.ts'

interface Dependencies {
  readonly storage: Pick<Storage, 'totals'>
  readonly eventLoop: Pick<LoopTimes, 'now' | 'busyMs'>
}

/**
 * Watches whether there are many payments beside bulk work, which then works in shorter steps with pauses. Background
 * tasks commit units, too, but fewer.
 *
 * @param firstFactor the result until the first count
 * @returns a function that returns the factor of the pause after a step that has committed `ownUnits`: 0 if at most
 *   `limits.busyUnitsPerSecond` other units a second were committed since the last count; 1 after a factor of 0,
 *   because the event loop was busy with bulk work until then; otherwise the busy time ÷ the idle time of the event
 *   loop since the last count, within `limits.pauseFactor`
 */
export function watchBusy(
  { storage, eventLoop: { now, busyMs } }: Dependencies,
  firstFactor = 0,
): (ownUnits: number) => number {
  let factor = firstFactor
  let sinceMs = now()
  let busyBeforeMs = busyMs()
  let { units } = storage.totals()
  return (ownUnits) => {
    units += ownUnits
    const elapsedMs = now() - sinceMs
    if (elapsedMs < (factor > 0 ? limits.busyEndWindowMs : limits.busyWindowMs)) return factor
    const total = storage.totals().units
    const busyTotalMs = busyMs()
    const isBusy = (total - units) * 1000 > limits.busyUnitsPerSecond * elapsedMs
    if (isBusy) factor = factor === 0 ? 1 : factorOf(busyTotalMs - busyBeforeMs, elapsedMs)
    else factor = 0
    sinceMs += elapsedMs
    busyBeforeMs = busyTotalMs
    units = total
    return factor
  }
}

/** The busy time ÷ the idle time of a period, to which the mean wait in a queue is proportional. */
function factorOf(busyMs: number, elapsedMs: number): number {
  const { min, max } = limits.pauseFactor
  return Math.min(max, Math.max(min, busyMs / Math.max(0, elapsedMs - busyMs)))
}
