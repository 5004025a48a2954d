import { type PositionedTransaction, newestFirst, positionOf, type TransactionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { fitsShortId, type Search } from './search.ts'

/** A transaction that matches a search. `row` is set if the search has already read the row. */
export type Match = PositionedTransaction & { readonly row?: TransactionRow }

/** Options of a search that reads whole rows. */
export interface RowReadOptions {
  /** The maximum number of rows to read in a step, computed when the step begins; undefined: no rows are needed. */
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
  { rowsMax, onRead = () => undefined }: RowReadOptions = {},
): AsyncGenerator<readonly Match[]> {
  const { filter, merchantTransactionId, from } = search
  if (merchantTransactionId !== undefined) {
    const { rows, positions } = await rates.searches.step(async () => {
      const max = rowsMax?.() ?? limits.queryRowsPerFirstRead
      const firstRows = await storage.transactionsOf(merchantTransactionId, filter, max)
      for (const row of firstRows) onRead([row])
      // Usually the first read returns all matches. The rows of further matches are read when they are rendered.
      const isComplete = firstRows.length < max
      return { rows: firstRows, positions: isComplete ? [] : await storage.positionsOf(merchantTransactionId, filter) }
    })
    const readIds = new Set(rows.map(({ id }) => id))
    const matches = newestFirst<Match>([
      ...rows.map((row) => ({ id: row.id, position: positionOf(row), row })),
      ...positions.filter(({ id }) => !readIds.has(id)),
    ])
    yield matches.filter(({ id, position }) => position < before && position >= from && fitsShortId(search, id))
    return
  }
  for (let position = before; position > from; ) {
    const stepBefore = position
    const step: { readonly transactions: readonly Match[]; readonly reached: string } = await rates.searches.step(
      async () => {
        if (!rowsMax) return storage.transactionsBefore(filter, stepBefore, from)
        const rows = await storage.rowsBefore(filter, stepBefore, from, rowsMax())
        for (const { row } of rows.transactions) onRead([row])
        return rows
      },
    )
    const { transactions, reached } = step
    yield transactions.filter(({ id }) => fitsShortId(search, id))
    position = reached
  }
}

/** Counts the matches below a position, up to a maximum. */
export async function countMatchesBefore(
  context: Context,
  search: Search,
  before: string,
  max: number,
): Promise<number> {
  let count = 0
  for await (const matches of matchesBefore(context, search, before)) {
    count += matches.length
    if (count >= max) break
  }
  return count
}
