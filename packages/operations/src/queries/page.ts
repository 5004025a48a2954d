import { InvariantError } from '@tollgate/contract'
import type { StoredTree, TransactionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import type { RequestMark } from '../answer.ts'
import { type Match, matchesBefore } from './find-transactions.ts'
import { linkedTransactions, recordOf } from './answers.ts'
import { treesOfPayments } from './payment-trees.ts'
import type { Search } from './search.ts'

/** The part of a search result that one answer contains. */
export interface Page {
  /** The JSON of each transaction, as in the answer to its request. */
  readonly records: readonly string[]
  /** The position below which the next page begins; undefined at the end of the search. */
  readonly next: string | undefined
}

/** Bounds of a page. */
export interface PageBounds {
  /** The page ends after this number of characters. */
  readonly charsMax: number
  /**
   * The ids of the transactions in earlier pages of the same answer. They count towards the limit and are not repeated.
   * `pageBefore` adds the ids of the new page.
   */
  readonly contained?: Set<string>
}

/**
 * The transactions of a search below a position, newest first, each followed by its linked transactions if the search
 * includes them. No transaction appears twice. The page ends between two matches, unless the first match alone is too
 * large.
 */
export async function pageBefore(
  context: Context,
  mark: RequestMark,
  search: Search,
  before: string,
  { charsMax, contained = new Set() }: PageBounds,
): Promise<Page> {
  const sizes = context.rates.searches.sizesOf(`${search.filter.merchant} ${search.withLinked}`)
  const records: string[] = []
  let chars = 0
  let next = before
  // The rows of these searches are read later, for each match: a search by short id examines many transactions for few
  // matches, and a search with linked transactions reads whole trees.
  const readsPositionsOnly = search.withLinked || search.shortId !== undefined
  const rowsMax = () => Math.max(1, Math.min(search.limit - contained.size, sizes.batchSize()))
  const onRead = (rows: readonly TransactionRow[]) => sizes.record(rows.reduce((sum, { echo }) => sum + echo.length, 0))
  for await (const matches of matchesBefore(context, search, before, {
    rowsMax: readsPositionsOnly ? undefined : rowsMax,
    onRead,
  })) {
    let remaining = matches
    while (remaining.length > 0) {
      const batch = await readRows(context, search, remaining, { rowsMax, onRead })
      remaining = remaining.slice(batch.length)
      for (const { match, rows: matchRows, tree } of batch) {
        const rows = matchRows.filter(({ id }) => !contained.has(id))
        const isFull = contained.size + rows.length > search.limit || chars > charsMax
        if (isFull && contained.size > 0) return { records, next }
        for (const row of rows.slice(0, search.limit)) {
          const record = recordOf(context, mark, row, tree)
          records.push(record)
          chars += record.length
          contained.add(row.id)
        }
        next = match.position
        if (contained.size >= search.limit) return { records, next }
      }
    }
  }
  return { records, next: undefined }
}

/**
 * Reads the rows to render for the first matches: the row of each match, and the rows of its linked transactions if the
 * search includes them.
 *
 * @param rowsMax the maximum number of matches to read at once, computed when the step begins
 */
async function readRows(
  context: Context,
  { filter, withLinked }: Search,
  matches: readonly Match[],
  { rowsMax, onRead }: { readonly rowsMax: () => number; readonly onRead: (rows: readonly TransactionRow[]) => void },
): Promise<readonly MatchRows[]> {
  const { storage, rates } = context
  const rowsOfMatches = async (batch: readonly Match[]): Promise<readonly (readonly [Match, TransactionRow])[]> => {
    const unreadIds = batch.filter(({ row }) => row === undefined).map(({ id }) => id)
    const rows = unreadIds.length === 0 ? [] : await storage.transactions(unreadIds)
    for (const row of rows) onRead([row])
    const byId = new Map(rows.map((row) => [row.id, row]))
    return batch.map((match) => [match, requireStored(match.row ?? byId.get(match.id))])
  }
  const withLinkedRows = async (match: Match): Promise<MatchRows> => {
    const tree = requireStored(await storage.treeOf(match.id))
    onRead(tree.transactions)
    const matching = tree.transactions.filter((row) => row.id === match.id)
    const linked = linkedTransactions(tree, match.id).filter(({ channel }) => channel === (filter.channel ?? channel))
    return { match, rows: [...matching, ...linked], tree }
  }
  if (withLinked) return rates.searches.step(() => Promise.all(matches.slice(0, rowsMax()).map(withLinkedRows)))
  const areRowsRead = matches.slice(0, rowsMax()).every(({ row }) => row !== undefined)
  const readMatches = () => rowsOfMatches(matches.slice(0, rowsMax()))
  const read = await (areRowsRead ? readMatches() : rates.searches.step(readMatches))
  const trees = await treesOfPayments(
    context,
    filter.merchant,
    read.map(([, row]) => row),
  )
  return read.map(([match, row]) => ({ match, rows: [row], tree: trees.get(row.id) }))
}

/** A match with the rows to render, and their tree if it was read; otherwise the row is a child or has no children. */
interface MatchRows {
  readonly match: Match
  readonly rows: readonly TransactionRow[]
  readonly tree: StoredTree | undefined
}

function requireStored<T>(stored: T | undefined): T {
  if (stored === undefined) throw new InvariantError('matched transaction is not stored')
  return stored
}
