import type { PositionedTransaction } from './port.ts'
import type { TransactionRow } from './schema.ts'

/** Length of the prefix of time-ordered ids: epoch milliseconds in hex. */
const TIME_DIGITS = 12

/** The lower bound of the positions at or after a time, epoch milliseconds. */
export const positionAt = (atMs: number): string => Math.max(0, atMs).toString(16).padStart(TIME_DIGITS, '0')

/** An upper bound of all positions, because they consist of hexadecimal digits. */
const END = 'g'

export type PositionColumns = Pick<TransactionRow, 'id' | 'type' | 'created_at_ms'>

/**
 * The position of a transaction in the order of time: its id, or, for a registration with its random id, time and id.
 */
export const positionOf = ({ id, type, created_at_ms: atMs }: PositionColumns): string =>
  type === 'RG' ? positionAt(atMs) + id : id

/** The time of a position, epoch milliseconds. */
export const timeOf = (position: string): number => Number.parseInt(position.slice(0, TIME_DIGITS), 16)

/** A bound of positions as time and id, by which registrations are ordered. */
export function timeAndIdOf(position: string): readonly [atMs: number, id: string] {
  if (position >= END) return [Number.MAX_SAFE_INTEGER, '']
  const time = position.slice(0, TIME_DIGITS).padEnd(TIME_DIGITS, '0')
  return [Number.parseInt(time, 16), position.slice(TIME_DIGITS)]
}

export const newestFirst = <T extends Pick<PositionedTransaction, 'position'>>(positions: readonly T[]): T[] =>
  positions.toSorted((a, b) => (a.position > b.position ? -1 : Number(a.position < b.position)))

export const positioned = (row: PositionColumns): PositionedTransaction => ({ id: row.id, position: positionOf(row) })
