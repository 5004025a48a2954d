import type { FoundTransaction, StoredTree, TransactionRow } from '@tollgate/storage'
import type { Gateway } from '../../gateway.ts'
import type { Call } from '../../http/public/route.ts'
import { limits } from '../../limits.ts'
import { foundBefore } from './found.ts'
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
  let chars = 0
  let next = before
  for await (const found of foundBefore(gateway, search, before)) {
    for (let start = 0; start < found.length; start += limits.queryTreesTogether) {
      const some = found.slice(start, start + Math.min(limits.queryTreesTogether, search.limit - records.length))
      for (const [one, tree] of await treesOf(gateway, some)) {
        const rows = rowsOf(search, one, tree).filter(({ id }) => !shown.has(id))
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

function treesOf({ storage, searches }: Gateway, found: readonly FoundTransaction[]) {
  return searches.step(() =>
    Promise.all(
      found.map(async (one): Promise<readonly [FoundTransaction, StoredTree]> => {
        const tree = await storage.treeOf(one.id)
        if (!tree) throw new Error('a transaction has a tree')
        return [one, tree]
      }),
    ),
  )
}

function rowsOf({ filter, withLinked }: Search, { id }: FoundTransaction, tree: StoredTree): readonly TransactionRow[] {
  const own = tree.transactions.filter((row) => row.id === id)
  if (!withLinked) return own
  return [...own, ...linkedTo(tree, id).filter(({ channel }) => channel === (filter.channel ?? channel))]
}
