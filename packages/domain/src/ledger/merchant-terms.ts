import { type CurrencyCode, DAY_MS } from '@tollgate/contract'

/** When a merchant is paid without a request. manual: never. weekly: on Mondays. monthly: on the first day. */
export const payoutSchedules = ['manual', 'daily', 'weekly', 'monthly'] as const

export type PayoutSchedule = (typeof payoutSchedules)[number]

/** The part of available funds that is withheld as a security, and for how long. */
export interface ReserveTerms {
  /** In millionths: 100,000 is 10 %. */
  readonly millionths: number
  readonly days: number
}

/** The terms on which a merchant receives its funds. */
export interface MerchantTerms {
  /** The days from a business day to its value date. */
  readonly availableAfterDays: number
  readonly reserve?: ReserveTerms | undefined
  readonly schedule: PayoutSchedule
  /** The lowest scheduled payout by currency, in minor units; other currencies have none. */
  readonly minimums: ReadonlyMap<CurrencyCode, number>
}

/** The terms of merchants for which none are stored. */
export const defaultTerms: MerchantTerms = { availableAfterDays: 2, schedule: 'manual', minimums: new Map() }

/** The upper bounds of terms. */
export const termDaysMax = { availableAfterDays: 90, reserve: 400 } as const

/**
 * The last day that is due: it is complete, its value date has come, and so have those of all days before. A day never
 * becomes due before an earlier one, also if the terms of days differ.
 *
 * @param from the day that was last due before; days since 1970
 * @param completeDay the last complete day
 * @param delayOf the days from a day to its value date
 */
export function lastDueDay(from: number, completeDay: number, delayOf: (day: number) => number): number {
  let last = Math.max(from, completeDay - termDaysMax.reserve)
  while (last < completeDay && last + delayOf(last + 1) <= completeDay) last += 1
  return last
}

/** 1970-01-01 was a Thursday. */
const MONDAY = 4

const isScheduled: Readonly<Record<PayoutSchedule, (day: number) => boolean>> = {
  manual: () => false,
  daily: () => true,
  weekly: (day) => day % 7 === MONDAY,
  monthly: (day) => new Date(day * DAY_MS).getUTCDate() === 1,
}

/** The last day up to `day` on which scheduled payouts are made; undefined if there is none in the month before. */
export function lastScheduledDay(schedule: PayoutSchedule, day: number): number | undefined {
  for (let each = day; each > day - 31; each -= 1) if (isScheduled[schedule](each)) return each
  return undefined
}
