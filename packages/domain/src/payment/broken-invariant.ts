import { InvariantError } from '@tollgate/contract'
import { invariant } from '../guard.ts'
import { isAmount } from '../money.ts'
import { chargeOf, holdOf, reversibleMinorOf } from './amounts.ts'
import { moves } from './moves.ts'
import { referencedOf, rootOf, type Transaction, type Tree } from './transaction.ts'

/**
 * Checks a stored payment against the rules: the table of moves permits each reference, no more is captured than
 * authorised, and no more is refunded than captured. The order of the transactions after the root does not matter,
 * because ids of the same millisecond have no order.
 *
 * @param tree the root first
 * @returns the broken invariant; undefined for a sound payment
 */
export function brokenInvariantOf(tree: Tree): string | undefined {
  try {
    for (const transaction of tree.transactions) checkTransaction(tree, transaction)
    checkAmounts(tree)
    return undefined
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error
    return error.message
  }
}

/** Checks the invariants of `apply` and of the table of moves. */
function checkTransaction(tree: Tree, transaction: Transaction): void {
  const { type, amountMinor, rootId, referencedId, currency, id } = transaction
  const root = rootOf(tree)
  invariant(isAmount(amountMinor), 'an amount is a whole number of minor units within bounds')
  invariant(rootId === root.id, 'a transaction belongs to the tree of its root')
  invariant(currency === root.currency, 'a payment has one currency')
  if (id === root.id) {
    invariant(referencedId === null, 'a root refers to nothing')
    invariant(moves[type].begin !== null, `a payment does not begin with ${type}`)
    return
  }
  const referenced = referencedOf(tree, transaction)
  invariant(Object.hasOwn(moves[type].after, referenced.type), `${type} does not follow ${referenced.type}`)
  invariant(leadsToRoot(tree, transaction), 'references lead to the root')
}

function leadsToRoot(tree: Tree, transaction: Transaction): boolean {
  let ancestor = transaction
  for (let step = 0; step < tree.transactions.length && ancestor.referencedId !== null; step += 1)
    ancestor = referencedOf(tree, ancestor)
  return ancestor.referencedId === null
}

function checkAmounts(tree: Tree): void {
  if (rootOf(tree).type === 'PA') holdOf(tree, 0)
  for (const transaction of tree.transactions) {
    if (chargeTypes.has(transaction.type)) chargeOf(tree, transaction)
    if (transaction.type === 'CB') {
      invariant(reversibleMinorOf(tree, transaction) >= 0, 'the reversals of a chargeback are at most its amount')
    }
  }
}

/** Types to which refunds refer, and refunds themselves, because a chargeback may refer to a refund. */
const chargeTypes: ReadonlySet<string> = new Set([...Object.keys(moves.RF.after), 'RF'])
