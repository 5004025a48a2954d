import { type PositionedTransaction, newestFirst, positionOf, type TransactionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { fitsShortId, type Search } from './search.ts'

/** A transaction that matches a search. `row` is set if the search has read the row already. */
export type Match = PositionedTransaction & { readonly row?: TransactionRow }

/** Options of a search that reads whole rows. */
export interface RowReading {
  /** The maximum of transactions to read in a step, computed when the step begins; undefined: no rows are needed. */
  readonly rowsMax?: (() => number) | undefined
  /** Called with the rows of each transaction in the step that reads it. */
  readonly onRead?: (rows: readonly TransactionRow[]) => void
}

/**
 * The matches of a search below a position, newest first, in steps of any length; a step may be empty. Payments are
 * processed between two steps.
 */
export async function* matchesBefore(
  { storage, rates }: Context,
  search: Search,
  before: string,
  { rowsMax, onRead = () => undefined }: RowReading = {},
): AsyncGenerator<readonly Match[]> {
  const { filter, merchantTransactionId: reference, from } = search
  if (reference !== undefined) {
    const { rows, positions } = await rates.searches.step(async () => {
      const max = rowsMax?.() ?? limits.queryRowsPerFirstRead
      const read = await storage.transactionsOf(reference, filter, max)
      for (const row of read) onRead([row])
      // Usually these rows are all matches. The rows of further matches are read when they are rendered.
      return { rows: read, positions: read.length < max ? [] : await storage.positionsOf(reference, filter) }
    })
    const read = new Set(rows.map(({ id }) => id))
    const matches = newestFirst<Match>([
      ...rows.map((row) => ({ id: row.id, position: positionOf(row), row })),
      ...positions.filter(({ id }) => !read.has(id)),
    ])
    yield matches.filter(({ id, position }) => position < before && position >= from && fitsShortId(search, id))
    return
  }
  for (let at = before; at > from; ) {
    const below = at
    const step: { readonly transactions: readonly Match[]; readonly reached: string } = await rates.searches.step(
      async () => {
        if (!rowsMax) return storage.transactionsBefore(filter, below, from)
        const rows = await storage.rowsBefore(filter, below, from, rowsMax())
        for (const { row } of rows.transactions) onRead([row])
        return rows
      },
    )
    const { transactions, reached } = step
    yield transactions.filter(({ id }) => fitsShortId(search, id))
    at = reached
  }
}

/** Counts the matches below a position, up to a maximum. */
export async function countBefore(context: Context, search: Search, before: string, max: number): Promise<number> {
  let count = 0
  for await (const matches of matchesBefore(context, search, before)) {
    count += matches.length
    if (count >= max) break
  }
  return count
}
