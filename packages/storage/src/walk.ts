import type { FoundRow, FoundTransaction, RowStep, TransactionFilter } from './port.ts'
import { newestFirst, positionOf } from './position.ts'
import type { TransactionRow } from './schema.ts'

// What the dialects share of a walk through transactions: roots and children in the order of their keys, registrations
// by their time.

/** What the queries take for a filter: the channel as a pattern, a list as one text, '' for none. */
export const filterValues = ({ merchant, channel, types, methods }: TransactionFilter) =>
  [merchant, channel ?? '%', listText(types), listText(methods)] as const

const listText = (codes: readonly string[] | undefined): string => (codes ? `,${codes.join(',')},` : '')

/** A transaction whose id tells its time. */
export const foundById = ({ id }: Pick<TransactionRow, 'id'>): FoundTransaction => ({ id, position: id })

export const foundRegistration = (row: Pick<TransactionRow, 'id' | 'created_at_ms'>): FoundTransaction => ({
  id: row.id,
  position: positionOf({ ...row, type: 'RG' }),
})

/** How far a step goes: to where one of what it looks at has had its share, or to the end of the walk. */
export const reachedBy = (from: string, last: readonly (FoundTransaction | undefined)[]): string =>
  last.reduce((reached, entry) => (entry && entry.position > reached ? entry.position : reached), from)

/**
 * A step with the rows of several streams, each of which was read newest first and to at most `max` rows: it goes as
 * far as all of them are known.
 */
export function rowStep(streams: readonly (readonly TransactionRow[])[], reached: string, max: number): RowStep {
  const found = streams.map((rows) => rows.map((row): FoundRow => ({ id: row.id, position: positionOf(row), row })))
  const end = reachedBy(
    reached,
    found.map((rows) => rows[max - 1]),
  )
  return { found: newestFirst(found.flat().filter(({ position }) => position >= end)), reached: end }
}
