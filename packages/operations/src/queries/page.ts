import { InvariantError } from '@tollgate/contract'
import type { TransactionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import type { RequestMark } from '../answer.ts'
import { type Found, foundBefore } from './find-transactions.ts'
import { linkedTo, recordOf } from './answers.ts'
import type { Search } from './search.ts'

/** The part of a search that one answer contains. */
export interface Page {
  /** Its transactions, each the JSON of a payment's answer. */
  readonly records: readonly string[]
  /** The position below which the next page begins; undefined at the end of the search. */
  readonly next: string | undefined
}

/** Bounds of a page. */
export interface PageBounds {
  /** Characters after which it ends. */
  readonly charsMax: number
  /** Transactions that earlier pages of the same answer have shown: they count, and are not shown again. */
  readonly shown?: Set<string>
}

/**
 * The transactions of a search below a position, newest first, each followed by its linked ones if they are wanted.
 * None appears twice. The page ends between two matches, unless the first alone is too large.
 */
export async function pageBefore(
  context: Context,
  mark: RequestMark,
  search: Search,
  before: string,
  { charsMax, shown = new Set() }: PageBounds,
): Promise<Page> {
  const sizes = context.rates.searches.sizesOf(`${search.filter.merchant} ${search.withLinked}`)
  const records: string[] = []
  let chars = 0
  let next = before
  // A search by short id examines many transactions for few matches, and a search with linked ones reads whole trees.
  const isSieved = search.withLinked || search.shortId !== undefined
  const most = () => Math.max(1, Math.min(search.limit - shown.size, sizes.together()))
  const note = (rows: readonly TransactionRow[]) => sizes.note(rows.reduce((sum, { echo }) => sum + echo.length, 0))
  for await (const found of foundBefore(context, search, before, { wanted: isSieved ? undefined : most, note })) {
    let left = found
    while (left.length > 0) {
      const read = await readRows(context, search, left, { most, note })
      left = left.slice(read.length)
      for (const [one, all] of read) {
        const rows = all.filter(({ id }) => !shown.has(id))
        const isFull = shown.size + rows.length > search.limit || chars > charsMax
        if (isFull && shown.size > 0) return { records, next }
        for (const row of rows.slice(0, search.limit)) {
          const record = recordOf(context, mark, row)
          records.push(record)
          chars += record.length
          shown.add(row.id)
        }
        next = one.position
        if (shown.size >= search.limit) return { records, next }
      }
    }
  }
  return { records, next: undefined }
}

/**
 * The first of the found transactions, each with the rows to show: its own, and the rest of its tree where wanted.
 *
 * @param most transactions to read at once, called when the step begins
 */
async function readRows(
  { storage, rates }: Context,
  { filter, withLinked }: Search,
  found: readonly Found[],
  { most, note }: { readonly most: () => number; readonly note: (rows: readonly TransactionRow[]) => void },
): Promise<readonly Shown[]> {
  const alone = async (some: readonly Found[]): Promise<readonly Shown[]> => {
    const unread = some.filter(({ row }) => row === undefined).map(({ id }) => id)
    const rows = unread.length === 0 ? [] : await storage.transactions(unread)
    for (const row of rows) note([row])
    const byId = new Map(rows.map((row) => [row.id, row]))
    return some.map((one): Shown => [one, [existing(one.row ?? byId.get(one.id))]])
  }
  const inTree = async (one: Found): Promise<Shown> => {
    const tree = existing(await storage.treeOf(one.id))
    note(tree.transactions)
    const own = tree.transactions.filter((row) => row.id === one.id)
    return [one, [...own, ...linkedTo(tree, one.id).filter(({ channel }) => channel === (filter.channel ?? channel))]]
  }
  const isRead = !withLinked && found.slice(0, most()).every(({ row }) => row !== undefined)
  if (isRead) return alone(found.slice(0, most()))
  return rates.searches.step(() => {
    const some = found.slice(0, most())
    return withLinked ? Promise.all(some.map(inTree)) : alone(some)
  })
}

type Shown = readonly [Found, readonly TransactionRow[]]

function existing<T>(stored: T | undefined): T {
  if (stored === undefined) throw new InvariantError('transaction that a query found does not exist')
  return stored
}
