import type { Storage } from '@tollgate/storage'
import type { Clock } from './clock.ts'
import { limits } from './limits.ts'

interface Dependencies {
  readonly storage: Pick<Storage, 'totals'>
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Watches whether there are many payments beside bulk work, which then works in shorter steps. Background tasks commit
 * units, too, but fewer.
 *
 * @param isBusyAtFirst what the function returns until the first count
 * @returns a function that tells, after a step that has committed `ownUnits`, whether more than
 * `limits.busyUnitsPerSecond` other units were committed lately
 */
export function watchBusy({ storage, clock }: Dependencies, isBusyAtFirst = false): (ownUnits: number) => boolean {
  let sinceMs = clock.now()
  let { units } = storage.totals()
  let isBusy = isBusyAtFirst
  return (ownUnits) => {
    units += ownUnits
    const elapsedMs = clock.now() - sinceMs
    if (elapsedMs < limits.busyWindowMs) return isBusy
    const total = storage.totals().units
    isBusy = (total - units) * 1000 > limits.busyUnitsPerSecond * elapsedMs
    sinceMs += elapsedMs
    units = total
    return isBusy
  }
}
