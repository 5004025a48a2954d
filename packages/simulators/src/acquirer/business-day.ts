import { addDays, businessDayOf, dayNear, daysBetween, endOfBusinessDay, isTimeZone } from '@tollgate/domain'

/** The local time at which a business day of the host ends. 00:00 is the end of the calendar day. */
export interface HostCutOff {
  /** HH:mm. */
  readonly time: string
  /** IANA, such as `Europe/Berlin`. */
  readonly timeZone: string
}

export const midnightInUtc: HostCutOff = { time: '00:00', timeZone: 'UTC' }

/** The business days of a cut-off. Days are yyyy-MM-dd. */
export interface BusinessDays {
  /** The business day of an instant: after 18:00 that of the next calendar day, if the cut-off is 18:00. */
  dayOf(atMs: number): string
  /** The first instant after a business day, epoch milliseconds. */
  endOf(day: string): number
}

/** Why a cut-off cannot be used. */
export function cutOffProblem({ time, timeZone }: HostCutOff): string | undefined {
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time)) return 'the cut-off must be a time HH:mm'
  return isTimeZone(timeZone) ? undefined : 'the time zone of the cut-off is not known'
}

/** @throws RangeError if the time or the time zone does not exist */
export function createBusinessDays(hostCutOff: HostCutOff): BusinessDays {
  const problem = cutOffProblem(hostCutOff)
  if (problem !== undefined) throw new RangeError(problem)
  const [hours = 0, minutes = 0] = hostCutOff.time.split(':').map(Number)
  const cutOff = { minutes: 60 * hours + minutes, timeZone: hostCutOff.timeZone }
  const endOf = (day: string): number => endOfBusinessDay(cutOff, daysBetween(EPOCH, day))
  /** The last result: to find a day takes as long as the rest of a message. */
  let last = { day: '', fromMs: 0, untilMs: 0 }
  return {
    dayOf(atMs) {
      if (atMs >= last.fromMs && atMs < last.untilMs) return last.day
      const day = dateOf(businessDayOf(cutOff, atMs))
      last = { day, fromMs: endOf(addDays(day, -1)), untilMs: endOf(day) }
      return day
    },
    endOf,
  }
}

const EPOCH = '1970-01-01'

/** @param day days since 1970 */
const dateOf = (day: number): string => addDays(EPOCH, day)

/** Field 15, MMDD. */
export const monthAndDayOf = (day: string): string => `${day.slice(5, 7)}${day.slice(8, 10)}`

/** The day that field 15 names, the nearest one to a day. @returns undefined if no such day exists */
export function dayOfField15(monthAndDay: string, nearDay: string): string | undefined {
  const day = dayNear(monthAndDay, daysBetween(EPOCH, nearDay))
  return day === undefined ? undefined : dateOf(day)
}
