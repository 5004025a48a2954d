import type { TransactionRow } from '@tollgate/storage'
import type { Gateway } from '../../gateway.ts'
import type { Call } from '../../http/public/route.ts'
import { limits } from '../../limits.ts'
import { type Found, foundBefore } from './found.ts'
import { linkedTo, recordOf } from './record.ts'
import type { Search } from './search.ts'

/** What one answer shows of a search. */
export interface Page {
  /** Its transactions, each the JSON of a payment's answer. */
  readonly records: readonly string[]
  /** Below which the next page begins; undefined where the search has come to its end. */
  readonly next: string | undefined
}

/**
 * The transactions of a search below a position, newest first, each followed by those linked to it where they are
 * wanted. Nothing is in it twice. It is cut between two that were found, unless the first alone is too much.
 */
export async function pageBefore(gateway: Gateway, call: Call, search: Search, before: string): Promise<Page> {
  const shown = new Set<string>()
  const records: string[] = []
  const together = search.withLinked ? limits.queryTreesTogether : Math.min(search.limit, limits.queryRowsTogether)
  let chars = 0
  let next = before
  // Of very many that are looked at few are shown where a short id is looked for, and of trees more than was found.
  const isSieved = search.withLinked || search.shortId !== undefined
  const wanted = isSieved ? undefined : () => search.limit - records.length
  for await (const found of foundBefore(gateway, search, before, wanted)) {
    let left = found
    while (left.length > 0) {
      const some = left.slice(0, Math.min(together, search.limit - records.length))
      left = left.slice(some.length)
      for (const [one, all] of await readRows(gateway, search, some)) {
        const rows = all.filter(({ id }) => !shown.has(id))
        const isFull = records.length + rows.length > search.limit || chars > limits.queryAnswerCharsMax
        if (isFull && records.length > 0) return { records, next }
        for (const row of rows.slice(0, search.limit)) {
          const record = recordOf(gateway, call, row)
          records.push(record)
          chars += record.length
          shown.add(row.id)
        }
        next = one.position
        if (records.length >= search.limit) return { records, next }
      }
    }
  }
  return { records, next: undefined }
}

/** Each with what is shown of it: itself, and the rest of its tree where that is wanted. */
function readRows(
  { storage, searches }: Gateway,
  { filter, withLinked }: Search,
  found: readonly Found[],
): Promise<readonly Shown[]> {
  const alone = async () => {
    const unread = found.filter(({ row }) => row === undefined).map(({ id }) => id)
    const rows = unread.length === 0 ? [] : await storage.transactions(unread)
    const byId = new Map(rows.map((row) => [row.id, row]))
    return found.map((one): Shown => [one, [known(one.row ?? byId.get(one.id))]])
  }
  const inTree = async (one: Found): Promise<Shown> => {
    const tree = known(await storage.treeOf(one.id))
    const own = tree.transactions.filter((row) => row.id === one.id)
    return [one, [...own, ...linkedTo(tree, one.id).filter(({ channel }) => channel === (filter.channel ?? channel))]]
  }
  return searches.step(() => (withLinked ? Promise.all(found.map(inTree)) : alone()))
}

type Shown = readonly [Found, readonly TransactionRow[]]

function known<T>(stored: T | undefined): T {
  if (stored === undefined) throw new Error('what was found is stored')
  return stored
}
