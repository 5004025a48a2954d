import { DAY_MS, MINUTE_MS } from '@tollgate/contract'
import { limits } from '../limits.ts'

/** How long a delivery waits after each of its first attempts: "1, 2, 4, 8, 15, 30 minutes, 1 hour, then daily". */
const waitsMs = [1, 2, 4, 8, 15, 30, 60].map((minutes) => minutes * MINUTE_MS)

/**
 * When a delivery that failed is tried again, epoch milliseconds; undefined where it is given up: "up to 30 days".
 *
 * @param attempts how often it was tried, at least once
 * @param nowMs epoch milliseconds
 * @param random from 0 to 1: waits are up to a tenth shorter or longer, so that what failed together comes apart
 * @param retryAfterMs what the endpoint asked for; a shorter time changes nothing, and none is longer than a day
 */
export function retryAtMs(
  attempts: number,
  nowMs: number,
  random: number,
  retryAfterMs: number | undefined,
): number | undefined {
  if (attempts >= limits.deliveryAttempts) return undefined
  const waitMs = waitsMs[attempts - 1] ?? DAY_MS
  const scattered = waitMs * (1 + limits.retryJitter * (2 * random - 1))
  return nowMs + Math.round(Math.max(scattered, Math.min(retryAfterMs ?? 0, limits.retryAfterMaxMs)))
}
