import { type Amounts, amountsOf, brokenInvariantOf, formatAmount, rootOf } from '@tollgate/domain'
import type { StoredTree } from '@tollgate/storage'
import { paymentTree } from './payment-record.ts'

/** The amounts of a payment as texts in its currency, with two decimals like every amount of the API. */
export interface AmountsView {
  readonly authorised: string
  readonly captured: string
  readonly refunded: string
  readonly chargedBack: string
  readonly open: string
}

/**
 * The amounts of a stored payment at a time, epoch milliseconds; undefined if the tree is no payment, such as a
 * registration, has no currency, or is damaged: `tollgate doctor` reports damaged payments.
 */
export function amountsView(stored: StoredTree, atMs: number): AmountsView | undefined {
  const tree = paymentTree(stored)
  if (!tree || brokenInvariantOf(tree) !== undefined) return undefined
  const { currency } = rootOf(tree)
  const amounts = amountsOf(tree, atMs)
  const textOf = (name: keyof Amounts) => formatAmount(amounts[name], currency)
  return {
    authorised: textOf('authorisedMinor'),
    captured: textOf('capturedMinor'),
    refunded: textOf('refundedMinor'),
    chargedBack: textOf('chargedBackMinor'),
    open: textOf('openMinor'),
  }
}
