import { chargeOf } from './amounts.ts'
import { isUndecided, type Transaction, type Tree } from './transaction.ts'

/**
 * The capture that a refund by the id of its preauthorisation means. Older clients send that id, which names one charge
 * only where there is exactly one capture.
 *
 * @param id of the preauthorisation
 * @returns the only capture, approved or undecided; undefined where there is none, or several
 */
export function soleCaptureOf(tree: Tree, id: string): Transaction | undefined {
  const captures = tree.transactions.filter(
    (one) =>
      one.type === 'CP' && one.referencedId === id && (isUndecided(one) || chargeOf(tree, one).capturedMinor > 0),
  )
  return captures.length === 1 ? captures[0] : undefined
}
