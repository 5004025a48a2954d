import { DAY_MS } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { instantMs, wallTimeMs } from '../time-zone.ts'
import type { MatchSubject } from './candidate.ts'

/** A period of days in the time zone of the institute, as days since 1970, both included. */
export interface DayRange {
  readonly first: number
  readonly last: number
}

/** The day of an instant in the zone of the institute, as days since 1970. */
const dayOf = (timeZone: string, atMs: number): number => Math.floor(wallTimeMs(timeZone, atMs) / DAY_MS)

/** The day of the transaction or, if the file does not state it, the day of settlement. */
const rowDay = ({ row: { presentedAtMs, settledOn }, timeZone }: MatchSubject): number =>
  presentedAtMs === undefined ? Date.parse(settledOn) / DAY_MS : dayOf(timeZone, presentedAtMs)

/** Whether a row is a chargeback or reversal without the time of its transaction, which may be long ago. */
export const isUndatedDispute = ({ row: { kind, presentedAtMs } }: MatchSubject): boolean =>
  presentedAtMs === undefined && (kind === 'CHARGEBACK' || kind === 'CHARGEBACK REVERSAL')

/** "Presentment date in [-3, +30] days" (domain notes, 4.5): the days on which the transaction can have been made. */
export function daysOfTransaction(subject: MatchSubject): DayRange {
  const daysAfter = isUndatedDispute(subject) ? limits.disputeDaysAfter : limits.settlementDaysAfter
  const day = rowDay(subject)
  return { first: day - daysAfter, last: day + limits.settlementDaysBefore }
}

/** The day of the row, the day before and the day after. */
export function adjacentDays(subject: MatchSubject): DayRange {
  const day = rowDay(subject)
  return { first: day - 1, last: day + 1 }
}

/** Whether an instant is on one of the days, in the zone of the institute. */
export function isOnDays({ first, last }: DayRange, timeZone: string, atMs: number): boolean {
  const day = dayOf(timeZone, atMs)
  return day >= first && day <= last
}

/** The instants at which the days begin and end. */
export const periodOf = ({ first, last }: DayRange, timeZone: string): { fromMs: number; untilMs: number } => ({
  fromMs: instantMs(timeZone, first * DAY_MS),
  untilMs: instantMs(timeZone, (last + 1) * DAY_MS),
})
