import { DAY_MS, MINUTE_MS } from '@tollgate/contract'
import { limits } from '../limits.ts'

/** Waits after the first attempts: "1, 2, 4, 8, 15, 30 minutes, 1 hour, then daily" (interop). */
const waitsMs = [1, 2, 4, 8, 15, 30, 60].map((minutes) => minutes * MINUTE_MS)

/**
 * The time of the next attempt at a failed delivery, epoch milliseconds; undefined after the last attempt, because
 * attempts are made "up to 30 days" (interop).
 *
 * @param attempts number of attempts so far, at least one
 * @param nowMs epoch milliseconds
 * @param random from 0 to 1: waits vary by up to a tenth, so that deliveries that failed together spread out
 * @param retryAfterMs Retry-After of the endpoint, which may lengthen the wait up to a day, but never shortens it
 */
export function retryAtMs(
  attempts: number,
  nowMs: number,
  random: number,
  retryAfterMs: number | undefined,
): number | undefined {
  if (attempts >= limits.deliveryAttempts) return undefined
  const waitMs = waitsMs[attempts - 1] ?? DAY_MS
  const jitteredMs = waitMs * (1 + limits.retryJitter * (2 * random - 1))
  return nowMs + Math.round(Math.max(jitteredMs, Math.min(retryAfterMs ?? 0, limits.retryAfterMaxMs)))
}
