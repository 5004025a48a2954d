import type { Storage } from '@tollgate/storage'
import { movableClock, type MovableClock } from './movable-clock.ts'
import { type BackgroundTask, type Clock, commitChange, type Ids, type Log } from '@tollgate/operations'
import { forwardClock } from './forward-clock.ts'
import { limits } from '../../limits.ts'

/** Name of the installation's value with the offset of the test clock, in milliseconds. */
export const CLOCK_AHEAD = 'clock-ahead-ms'

/** Name of the installation's value with the latest stored time, without that offset, in epoch milliseconds. */
export const CLOCK_LATEST = 'clock-latest-ms'

/** Parses stored milliseconds; undefined for any other text, such as NaN. */
export const parseMilliseconds = (text: string): number | undefined =>
  /^\d{1,15}$/.test(text) ? Number(text) : undefined

/** The repair of a stored offset of the test clock that is not a number; for the log and `doctor`. */
export const CLOCK_REPAIR =
  'the stored offset of the test clock is not a number: the clock follows the machine until POST /manage/v1/clock ' +
  '{"to":"…"} advances it, which stores a number again'

/**
 * Reads the stored offset of the test clock.
 *
 * @returns 0 if the clock was never advanced; undefined if the value is not a number
 */
export async function storedClockOffset(storage: Pick<Storage, 'installation'>): Promise<number | undefined> {
  return parseMilliseconds((await storage.installation(CLOCK_AHEAD)) ?? '0')
}

/** Opens the gateway's clock, which begins no earlier than the stored time, with the stored offset. */
export async function openClock(
  machine: Clock,
  storage: Pick<Storage, 'installation'>,
  log: Pick<Log, 'warn' | 'error'>,
): Promise<MovableClock> {
  const offset = await storedClockOffset(storage)
  if (offset === undefined) log.error({ clock: CLOCK_AHEAD, error: CLOCK_REPAIR })
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

/** Stores the current time for later processes, so that a restart does not go back either. */
export async function storeTime(parts: Parts): Promise<void> {
  const { storage, clock } = parts
  const nowMs = clock.now() - clock.ahead()
  const storedMs = parseMilliseconds((await storage.installation(CLOCK_LATEST)) ?? '') ?? 0
  // Another process is ahead, within the bound for a correct clock.
  if (storedMs >= nowMs && storedMs - nowMs <= limits.clockBackMsMax) return
  const row = { name: CLOCK_LATEST, value: String(nowMs) }
  await commitChange(parts, { rows: { installation: [row] } })
}

/** Runs `storeTime` as a background task. */
export const storeTimeTask = (parts: Parts): BackgroundTask => ({
  name: 'note the time',
  everyMs: limits.clockNotedEveryMs,
  pauseMs: 0,
  async step() {
    await storeTime(parts)
    return 'done'
  },
})
