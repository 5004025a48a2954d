import type { FoundTransaction, TransactionFilter } from './port.ts'
import { positionOf } from './position.ts'
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
