import type { Storage } from '@tollgate/storage'
import { movableClock, type MovableClock } from './movable-clock.ts'
import { type BackgroundTask, type Clock, commitChange, type Ids, type Log } from '@tollgate/operations'
import { forwardClock } from './forward-clock.ts'
import { limits } from '../../limits.ts'

/** How far the test clock is ahead, milliseconds: a value of the installation. */
export const CLOCK_AHEAD = 'clock-ahead-ms'

/** The latest time that a process has noted, without the test clock's lead, epoch milliseconds: likewise. */
export const CLOCK_LATEST = 'clock-latest-ms'

/** Milliseconds as they are stored; undefined where the text is none, such as NaN. */
export const millisecondsOf = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

/** How to repair a stored lead of the test clock that is no number; for the log and `doctor`. */
export const mendClock =
  'the stored lead of the test clock is no number: the clock goes with the machine until POST /manage/v1/clock ' +
  '{"to":"…"} puts it forward, which stores a number again'

/**
 * The lead of the test clock as it is stored.
 *
 * @returns 0 where it was never put forward; undefined where the value is no number
 */
export async function storedLead(storage: Pick<Storage, 'installation'>): Promise<number | undefined> {
  return millisecondsOf((await storage.installation(CLOCK_AHEAD)) ?? '0')
}

/** The gateway's clock: never behind what earlier processes have noted, and as far ahead as it was put forward. */
export async function openClock(
  machine: Clock,
  storage: Pick<Storage, 'installation'>,
  log: Pick<Log, 'warn' | 'error'>,
): Promise<MovableClock> {
  const lead = await storedLead(storage)
  if (lead === undefined) log.error({ clock: CLOCK_AHEAD, error: mendClock })
  const latestMs = millisecondsOf((await storage.installation(CLOCK_LATEST)) ?? '') ?? 0
  const forward = forwardClock(machine, {
    latestMs,
    onStepBack: ({ behindMs, response }) =>
      log.warn({ clock: 'the clock of the machine went back', behindMs, response }),
  })
  return movableClock(forward, lead, machine)
}

interface Parts {
  readonly storage: Storage
  readonly clock: MovableClock
  readonly ids: Ids
}

/** Notes the current time for later processes, so that a restart does not go back either. */
export async function noteTime(parts: Parts): Promise<void> {
  const { storage, clock } = parts
  const nowMs = clock.now() - clock.ahead()
  const notedMs = millisecondsOf((await storage.installation(CLOCK_LATEST)) ?? '') ?? 0
  // Another process is ahead, but not so far that it was wrong.
  if (notedMs >= nowMs && notedMs - nowMs <= limits.clockBackMsMax) return
  const row = { name: CLOCK_LATEST, value: String(nowMs) }
  await commitChange(parts, { rows: { installation: [row] } })
}

/** `noteTime` in the background. */
export const noteTimes = (parts: Parts): BackgroundTask => ({
  name: 'note the time',
  everyMs: limits.clockNotedEveryMs,
  pauseMs: 0,
  async step() {
    await noteTime(parts)
    return 'done'
  },
})
