import type { Storage } from '@tollgate/storage'
import type { OperationCounts } from './counters.ts'
import { limits } from './limits.ts'
import type { LoopTimes } from './wait.ts'

interface Dependencies {
  readonly storage: Pick<Storage, 'totals'>
  readonly eventLoop: Pick<LoopTimes, 'now' | 'busyMs'>
  readonly counts: Pick<OperationCounts, 'bulkUnits'>
}

/**
 * Watches whether there are many payments beside bulk work, which then works in shorter steps with pauses. Units of all
 * bulk work count apart. Other background tasks commit units, too, but fewer.
 *
 * @returns a function that returns the factor of the pause after a step that has committed `units`: 0 if at most
 *   `limits.busyUnitsPerSecond` units of other than bulk work were committed a second since the last count; 1 after a
 *   factor of 0, because the event loop was busy with bulk work until then, and until the first count; otherwise the
 *   busy time ÷ the idle time of the event loop since the last count, within `limits.pauseFactor`
 */
export function watchBusy({ storage, eventLoop: { now, busyMs }, counts }: Dependencies): (units: number) => number {
  const otherUnits = () => storage.totals().units - counts.bulkUnits
  let factor = 1
  let sinceMs = now()
  let busyBeforeMs = busyMs()
  let unitsBefore = otherUnits()
  return (units) => {
    counts.bulkUnits += units
    const elapsedMs = now() - sinceMs
    if (elapsedMs < (factor > 0 ? limits.busyEndWindowMs : limits.busyWindowMs)) return factor
    const unitsNow = otherUnits()
    const busyTotalMs = busyMs()
    const isBusy = (unitsNow - unitsBefore) * 1000 > limits.busyUnitsPerSecond * elapsedMs
    if (isBusy) factor = factor === 0 ? 1 : factorOf(busyTotalMs - busyBeforeMs, elapsedMs)
    else factor = 0
    sinceMs += elapsedMs
    busyBeforeMs = busyTotalMs
    unitsBefore = unitsNow
    return factor
  }
}

/** The busy time ÷ the idle time of a period, to which the mean wait in a queue is proportional. */
function factorOf(busyMs: number, elapsedMs: number): number {
  const { min, max } = limits.pauseFactor
  return Math.min(max, Math.max(min, busyMs / Math.max(0, elapsedMs - busyMs)))
}
