import { chargeOf } from './amounts.ts'
import { isUndecided, type Transaction, type Tree } from './transaction.ts'

/**
 * The only capture of a preauthorisation. Older clients refund by the id of the preauthorisation, which identifies a
 * charge only if there is exactly one capture.
 *
 * @param id the id of the preauthorisation
 * @returns the only capture that is undecided, or approved and not reversed; undefined if there are none or several
 */
export function soleCaptureOf(tree: Tree, id: string): Transaction | undefined {
  const captures = tree.transactions.filter(
    (transaction) =>
      transaction.type === 'CP' &&
      transaction.referencedId === id &&
      (isUndecided(transaction) || chargeOf(tree, transaction).capturedMinor > 0),
  )
  return captures.length === 1 ? captures[0] : undefined
}
