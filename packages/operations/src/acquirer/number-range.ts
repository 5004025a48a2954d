import type { TerminalRow } from '@tollgate/storage'

/** "000001-999999" (ISO 8583, field 11). */
export const LAST_NUMBER = 999_999

/** `next_trace` of a row: the offset of the day times this number, plus a position. */
const POSITIONS = 1_000_000

/**
 * The numbers of a terminal id on one day. It draws all numbers from 1 to 999,999 once, in the order of their
 * positions, which also begin at 1. Position 1 is the number after the offset, and 999,999 is followed by 1.
 */
export interface NumberRange {
  readonly offset: number
  /** The first position that was not reserved yet; 1,000,000 after the last one. */
  readonly position: number
}

/**
 * The offset at which a terminal id begins each day. The ids of an account are equally far apart, so that retrieval
 * reference numbers, which contain time and number, differ: while each id draws at most `shareOf` numbers a day, no two
 * ids of an account draw the same number on one day. One share more is for ids that the account no longer has.
 */
export function offsetOf(terminalIds: readonly string[], terminalId: string): number {
  const place = terminalIds.indexOf(terminalId)
  return (place < 0 ? terminalIds.length : place) * shareOf(terminalIds)
}

/** The distance of the offsets of an account's terminal ids. */
export const shareOf = (terminalIds: readonly string[]): number => Math.floor(LAST_NUMBER / (terminalIds.length + 1))

/** The trace number at a position. */
export const numberAt = (offset: number, position: number): number => ((offset + position - 1) % LAST_NUMBER) + 1

/**
 * The range of a day. A day that has begun keeps its offset, whatever the terminal ids of the account are now, so that
 * the terminal id draws no number again.
 *
 * @param day days since 1970 in UTC
 * @param offset that of a new day
 */
export const rangeOf = (
  { day: storedDay, next_trace: stored }: TerminalRow,
  day: number,
  offset: number,
): NumberRange =>
  storedDay < day
    ? { offset, position: 1 }
    : { offset: Math.floor((stored - 1) / POSITIONS), position: ((stored - 1) % POSITIONS) + 1 }

/** The stored form of a range, `next_trace`. */
export const storedRange = ({ offset, position }: NumberRange): number => offset * POSITIONS + position
