import { randomInt } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { limits } from '../limits.ts'
import { isConnectionError } from './faults.ts'

/**
 * Repeats reads whose connection was lost, for as long as commits wait in an outage: `limits.outageMs`. The first
 * repetition is immediate, because the idle connection from the pool may have been lost earlier. In an outage that has
 * lasted longer, there is no further repetition.
 *
 * @param closing ends the pauses between repetitions
 */
export function retryReads(closing: AbortSignal): <Rows>(read: () => Promise<Rows>) => Promise<Rows> {
  /** The outage from the first lost connection to the next successful read; aborts after `limits.outageMs`. */
  let outage: AbortSignal | undefined
  setMaxListeners(0, closing)

  return async (read) => {
    let bound: AbortSignal | undefined
    let waitMs = 0
    for (;;) {
      try {
        const rows = await read()
        outage = undefined
        return rows
      } catch (error) {
        if (!isConnectionError(error) || closing.aborted || (bound && bound.aborted)) throw error
        if (bound) {
          waitMs = Math.min(2 * waitMs || limits.reconnectMs.min, limits.reconnectMs.max)
          // Jitter, so that waiting reads are not repeated all at once.
          const signal = AbortSignal.any([closing, bound])
          await delay(waitMs / 2 + randomInt(waitMs / 2), undefined, { signal }).catch(() => {})
        } else {
          outage ??= AbortSignal.timeout(limits.outageMs)
          bound = outage
        }
      }
    }
  }
}
