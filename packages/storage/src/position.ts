import type { FoundTransaction } from './port.ts'
import type { TransactionRow } from './schema.ts'

/** Hex digits of epoch milliseconds that time-ordered ids begin with. */
const TIME_DIGITS = 12

/** Every position of a moment, or of one after it, is above this; every earlier one below. */
export const positionAt = (atMs: number): string => Math.max(0, atMs).toString(16).padStart(TIME_DIGITS, '0')

/** Above every position. */
const END = 'g'

export type Positioned = Pick<TransactionRow, 'id' | 'type' | 'created_at_ms'>

/**
 * Where a transaction stands among all: by time, of which its id tells. That of a registration is random, so that the
 * time goes before it.
 */
export const positionOf = ({ id, type, created_at_ms: atMs }: Positioned): string =>
  type === 'RG' ? positionAt(atMs) + id : id

/** The moment of a transaction, by its position; epoch milliseconds. */
export const timeOf = (position: string): number => Number.parseInt(position.slice(0, TIME_DIGITS), 16)

/** A bound of positions as the time and id of registrations. */
export function momentOf(position: string): readonly [atMs: number, id: string] {
  if (position >= END) return [Number.MAX_SAFE_INTEGER, '']
  const time = position.slice(0, TIME_DIGITS).padEnd(TIME_DIGITS, '0')
  return [Number.parseInt(time, 16), position.slice(TIME_DIGITS)]
}

/** The newest first. */
export const newestFirst = <T extends Pick<FoundTransaction, 'position'>>(found: readonly T[]): T[] =>
  found.toSorted((a, b) => (a.position > b.position ? -1 : Number(a.position < b.position)))

export const foundOf = (row: Positioned): FoundTransaction => ({ id: row.id, position: positionOf(row) })
