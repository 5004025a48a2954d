import { MINUTE_MS } from '@tollgate/contract'

/** Waits after the attempts at a transfer. After the last one an operator has to repeat it: two and a half days. */
const waitsMs = [1, 5, 15, 60, 180, 360, 720, 720, 720, 720].map((minutes) => minutes * MINUTE_MS)

/**
 * The time of the next attempt at a transfer that failed, epoch milliseconds; undefined after the last attempt.
 *
 * @param attempts number of attempts so far, at least one
 * @param random from 0 to 1: waits are up to a tenth longer, so that transfers to one server spread out
 */
export function transferRetryAtMs(attempts: number, nowMs: number, random: number): number | undefined {
  const waitMs = waitsMs[attempts - 1]
  return waitMs === undefined ? undefined : nowMs + Math.round(waitMs * (1 + random / 10))
}
