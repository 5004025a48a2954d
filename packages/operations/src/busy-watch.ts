import { performance } from 'node:perf_hooks'
import type { Storage } from '@tollgate/storage'
import type { Clock } from './clock.ts'
import { limits } from './limits.ts'

interface Dependencies {
  readonly storage: Pick<Storage, 'totals'>
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Watches whether there are many payments beside bulk work, which then works in shorter steps, and how busy they keep
 * the event loop. Background tasks commit units, too, but fewer.
 *
 * @param atFirst what the function returns until the first count
 * @returns a function that tells, after a step that has committed `ownUnits`, by what to multiply the pause until the
 *   next step: 0 unless more than `limits.busyUnitsPerSecond` other units were committed lately; otherwise the busy
 *   time of the event loop ÷ its idle time, by which the wait of a payment grows, within `limits.busyFactor`
 */
export function watchBusy(
  { storage, clock }: Dependencies,
  atFirst = 0,
  eventLoop: Pick<typeof performance, 'eventLoopUtilization'> = performance,
): (ownUnits: number) => number {
  let sinceMs = clock.now()
  let { units } = storage.totals()
  let since = eventLoop.eventLoopUtilization()
  let factor = atFirst
  return (ownUnits) => {
    units += ownUnits
    const elapsedMs = clock.now() - sinceMs
    if (elapsedMs < limits.busyWindowMs) return factor
    const total = storage.totals().units
    const current = eventLoop.eventLoopUtilization()
    const { utilization: busy } = eventLoop.eventLoopUtilization(current, since)
    const isBusy = (total - units) * 1000 > limits.busyUnitsPerSecond * elapsedMs
    const { min, max } = limits.busyFactor
    factor = isBusy ? Math.min(max, Math.max(min, busy / (1 - busy))) : 0
    sinceMs += elapsedMs
    units = total
    since = current
    return factor
  }
}
