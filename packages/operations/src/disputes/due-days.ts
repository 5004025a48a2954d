import { addDays, dayAt, daysBetween, limits as domainLimits } from '@tollgate/domain'

/** The days until an answer is due, by the day in UTC: 0 on the last day, negative once it has passed. */
export const daysUntil = (dueOn: string, nowMs: number): number => daysBetween(dayAt(nowMs), dueOn)

/** The last day that has ended everywhere on Earth: an answer that was due on it comes too late. */
export const lastEndedDay = (nowMs: number): string => addDays(dayAt(nowMs - domainLimits.utcBehindMaxMs), -1)
