import { type CurrencyCode, currencies } from '@tollgate/contract'
import { limits } from '../limits.ts'

const RATE = /^(\d{1,12})(?:\.(\d{1,12}))?$/

/** An amount in minor units and its currency. */
export interface Money {
  readonly minor: number
  readonly currency: CurrencyCode
}

/** A ratio of whole numbers. */
interface Ratio {
  readonly over: bigint
  readonly under: bigint
}

/** The rate of a file as a ratio; undefined if the text is not a decimal number, or is zero. */
function ratioOf(rate: string): Ratio | undefined {
  const [, whole, fraction = ''] = RATE.exec(rate) ?? []
  if (whole === undefined) return undefined
  const over = BigInt(`${whole}${fraction}`)
  return over === 0n ? undefined : { over, under: 10n ** BigInt(fraction.length) }
}

const unitOf = (currency: CurrencyCode): bigint => 10n ** BigInt(currencies[currency].exponent)

/** The nearest whole number; halves are rounded up. */
const rounded = ({ over, under }: Ratio): bigint => (2n * over + under) / (2n * under)

/**
 * An amount that a rate converts into another currency, in minor units of that currency, rounded half up. The
 * calculation is exact: units of currencies are taken into account, and no floating point is used.
 *
 * @returns undefined if the rate is not a positive decimal number
 */
export function convertedMinor({ minor, currency }: Money, rate: string, into: CurrencyCode): number | undefined {
  const ratio = ratioOf(rate)
  if (!ratio) return undefined
  return Number(rounded({ over: BigInt(minor) * ratio.over * unitOf(into), under: ratio.under * unitOf(currency) }))
}

/** The part of an amount that corresponds to a part of another one, rounded half up; all of it if the other is 0. */
export const proportionalMinor = (minor: number, partMinor: number, wholeMinor: number): number =>
  wholeMinor === 0 ? minor : Number(rounded({ over: BigInt(minor) * BigInt(partMinor), under: BigInt(wholeMinor) }))

/** Whether a converted amount is an expected one: within one minor unit or 0.5 %, whichever is more. */
export const isWithinTolerance = (minor: number, expectedMinor: number): boolean =>
  Math.abs(minor - expectedMinor) <= toleranceOf(expectedMinor)

const toleranceOf = (minor: number): number =>
  Math.max(limits.convertedMinorMax, Math.floor((minor * limits.convertedPerMilleMax) / 1000))

/** Whether a converted amount is at most an expected one, with the same tolerance. */
export const isAtMost = (minor: number, expectedMinor: number): boolean =>
  minor <= expectedMinor + toleranceOf(expectedMinor)

/** A rate in hundredths, as the reconciliation record has it: that of the file or, without one, that of the amounts. */
export function rateHundredths(rate: string | undefined, from: Money, into: Money): number {
  const stated = rate === undefined ? undefined : ratioOf(rate)
  if (stated) return Number(rounded({ over: stated.over * 100n, under: stated.under }))
  if (from.currency === into.currency || from.minor === 0) return 100
  return Number(
    rounded({
      over: BigInt(into.minor) * unitOf(from.currency) * 100n,
      under: BigInt(from.minor) * unitOf(into.currency),
    }),
  )
}
