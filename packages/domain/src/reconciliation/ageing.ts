import { daysBetween } from '../day.ts'
import { limits } from '../limits.ts'

/** A range of ages of breaks, in days. */
export interface AgeingBucket {
  readonly name: string
  readonly daysMax: number
}

/** The buckets of the break report. Rows of the first one are not reported: their transaction may still be matched. */
export const ageingBuckets = [
  { name: '0-5', daysMax: limits.breakAfterDays },
  { name: '6-10', daysMax: 10 },
  { name: '11-30', daysMax: 30 },
  { name: '31-60', daysMax: 60 },
  { name: '>60', daysMax: Number.POSITIVE_INFINITY },
] as const satisfies readonly AgeingBucket[]

/** The bucket of a row that was settled on one day and has no transaction on another; both yyyy-MM-dd. */
export function ageingBucketOf(settledOn: string, today: string): AgeingBucket {
  const days = daysBetween(settledOn, today)
  return ageingBuckets.find(({ daysMax }) => days <= daysMax) ?? ageingBuckets[4]
}

/** Whether a row without its transaction belongs in the break report. */
export const isBreak = (settledOn: string, today: string): boolean =>
  daysBetween(settledOn, today) > limits.breakAfterDays
