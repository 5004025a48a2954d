import type { StoredTransaction, StoredTree } from './port.ts'
import type { TransactionRow } from './schema.ts'

/** A transaction, read together with the version of its tree. */
export type TreeOfRow = TransactionRow & { readonly version: number }

/** The same as the port says it. */
export function inTree(found: TreeOfRow | undefined): StoredTransaction | undefined {
  if (!found) return undefined
  const { version, ...row } = found
  return { row, version }
}

/** The tree that the rows are of; its root comes first. */
export function treeOfRows(rows: readonly TreeOfRow[]): StoredTree | undefined {
  const [root] = rows
  if (!root) return undefined
  let version = 0
  const transactions = rows.map(({ version: ofTree, ...transaction }) => {
    version = ofTree
    return transaction
  })
  return { id: root.root_id, merchant: root.merchant, version, transactions }
}

/** The ids that none of these rows bears. */
export function notAmong(ids: readonly string[], rows: readonly TransactionRow[]): readonly string[] {
  const found = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !found.has(id))
}
