import { isPaymentType } from '@tollgate/domain'
import type { StoredTree, TransactionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'

/**
 * The trees with children among the payments that these transactions began, by the ids of their roots. Most payments
 * have no children and are not read again.
 */
export async function treesOfPayments(
  { storage, rates }: Context,
  merchant: string,
  rows: readonly TransactionRow[],
): Promise<ReadonlyMap<string, StoredTree>> {
  const sizes = rates.searches.sizesOf(`${merchant} trees`)
  const rootIds = rows.filter(({ id, root_id, type }) => id === root_id && isPaymentType(type)).map(({ id }) => id)
  const trees = new Map<string, StoredTree>()
  for (let remaining: readonly string[] = rootIds; remaining.length > 0; ) {
    const ids = remaining.slice(0, sizes.batchSize())
    for (const tree of await rates.searches.step(() => storage.treesWithChildren(ids))) {
      trees.set(tree.id, tree)
      sizes.record(charsOf(tree))
    }
    sizes.record(CHILDLESS_CHARS)
    remaining = remaining.slice(ids.length)
  }
  return trees
}

/** The recorded length of a payment without children, which is not read. */
const CHILDLESS_CHARS = 1

const charsOf = ({ transactions }: StoredTree): number =>
  transactions.reduce((sum, { echo, outcome }) => sum + echo.length + outcome.length, 0)
