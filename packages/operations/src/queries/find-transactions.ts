import { type PositionedTransaction, newestFirst, positionOf, type TransactionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { fitsShortId, type Search } from './search.ts'

/** A match; some searches read its whole tree on the way. */
export type Found = PositionedTransaction & { readonly row?: TransactionRow }

/** Options of a search that reads whole rows. */
export interface RowReading {
  /** Transactions to read in a step at most, called when the step begins; undefined: none. */
  readonly wanted?: (() => number) | undefined
  /** Called with the rows of each transaction in the step that reads it. */
  readonly note?: (rows: readonly TransactionRow[]) => void
}

/**
 * The matches of a search below a position, newest first, in steps of any length, empty ones included. Between two
 * steps payments proceed.
 */
export async function* foundBefore(
  { storage, rates }: Context,
  search: Search,
  before: string,
  { wanted, note = () => undefined }: RowReading = {},
): AsyncGenerator<readonly Found[]> {
  const { filter, merchantTransactionId: reference, from } = search
  if (reference !== undefined) {
    const { rows, others } = await rates.searches.step(async () => {
      const max = wanted?.() ?? limits.queryRowsFirst
      const read = await storage.transactionsOf(reference, filter, max)
      for (const row of read) note([row])
      // Usually these are all; further ones are read when they are shown.
      return { rows: read, others: read.length < max ? [] : await storage.positionsOf(reference, filter) }
    })
    const read = new Set(rows.map(({ id }) => id))
    const found = newestFirst<Found>([
      ...rows.map((row) => ({ id: row.id, position: positionOf(row), row })),
      ...others.filter(({ id }) => !read.has(id)),
    ])
    yield found.filter(({ id, position }) => position < before && position >= from && fitsShortId(search, id))
    return
  }
  for (let at = before; at > from; ) {
    const below = at
    const step: { readonly found: readonly Found[]; readonly reached: string } = await rates.searches.step(async () => {
      if (!wanted) return storage.transactionsBefore(filter, below, from)
      const rows = await storage.rowsBefore(filter, below, from, wanted())
      for (const { row } of rows.found) note([row])
      return rows
    })
    const { found, reached } = step
    yield found.filter(({ id }) => fitsShortId(search, id))
    at = reached
  }
}

/** How many there are below a position, counted up to a maximum. */
export async function countBefore(context: Context, search: Search, before: string, max: number): Promise<number> {
  let count = 0
  for await (const found of foundBefore(context, search, before)) {
    count += found.length
    if (count >= max) break
  }
  return count
}
