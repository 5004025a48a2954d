import type { Storage } from '@tollgate/storage'
import { movableClock, type MovableClock } from './movable-clock.ts'
import { type BackgroundTask, type Clock, commitChange, type Ids, type Log } from '@tollgate/operations'
import { forwardClock } from './forward-clock.ts'
import { limits } from '../../limits.ts'

/** Name of the installation's value that contains the offset of the test clock, in milliseconds. */
export const CLOCK_OFFSET = 'clock-ahead-ms'

/** Name of the installation's value with the latest time of the clock without the test offset, epoch milliseconds. */
export const CLOCK_LATEST = 'clock-latest-ms'

/** Parses stored milliseconds; undefined for any other text, such as NaN. */
export const parseMilliseconds = (text: string): number | undefined =>
  /^\d{1,15}$/.test(text) ? Number(text) : undefined

/** The repair of an invalid stored offset of the test clock; for the log and `doctor`. */
export const CLOCK_REPAIR =
  'the stored offset of the test clock is invalid: the clock follows the machine until POST /manage/v1/clock ' +
  '{"to":"…"} advances it, which stores a valid offset'

/**
 * Reads the stored offset of the test clock.
 *
 * @returns milliseconds; 0 if the clock was never advanced; undefined if the stored value is invalid
 */
export async function storedClockOffset(storage: Pick<Storage, 'installation'>): Promise<number | undefined> {
  return parseMilliseconds((await storage.installation(CLOCK_OFFSET)) ?? '0')
}

/**
 * Opens the gateway's clock with the stored offset. The clock begins no earlier than the stored time, unless that is
 * more than `limits.clockBackMsMax` ahead of the machine's clock.
 */
export async function openClock(
  machine: Clock,
  storage: Pick<Storage, 'installation'>,
  log: Pick<Log, 'warn' | 'error'>,
): Promise<MovableClock> {
  const offset = await storedClockOffset(storage)
  if (offset === undefined) log.error({ clock: CLOCK_OFFSET, error: CLOCK_REPAIR })
  const latestMs = parseMilliseconds((await storage.installation(CLOCK_LATEST)) ?? '') ?? 0
  const forward = forwardClock(machine, {
    latestMs,
    onStepBack: ({ behindMs, response }) =>
      log.warn({ clock: 'the clock of the machine went back', behindMs, response }),
  })
  return movableClock(forward, offset, machine)
}

interface Parts {
  readonly storage: Storage
  readonly clock: MovableClock
  readonly ids: Ids
}

/** Stores the current time without the test offset, so that the clock does not go back after a restart. */
export async function storeTime(parts: Parts): Promise<void> {
  const { storage, clock } = parts
  const nowMs = clock.now() - clock.offsetMs()
  const storedMs = parseMilliseconds((await storage.installation(CLOCK_LATEST)) ?? '') ?? 0
  // A peer has stored the same or a later time. Only a time far ahead is replaced, because it is from a wrong clock.
  if (storedMs >= nowMs && storedMs - nowMs <= limits.clockBackMsMax) return
  const row = { name: CLOCK_LATEST, value: String(nowMs) }
  await commitChange(parts, { rows: { installation: [row] } })
}

/** Runs `storeTime` as a background task. */
export const storeTimeTask = (parts: Parts): BackgroundTask => ({
  name: 'store the time',
  everyMs: limits.clockStoredEveryMs,
  pauseMs: 0,
  async step() {
    await storeTime(parts)
    return 'done'
  },
})
