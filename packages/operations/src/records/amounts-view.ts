import { amountsOf, brokenInvariantOf, formatAmount, rootOf } from '@tollgate/domain'
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
  const { authorisedMinor, capturedMinor, refundedMinor, chargedBackMinor, openMinor } = amountsOf(tree, atMs)
  // Most amounts are 0.
  const textOf = (amountMinor: number) => (amountMinor === 0 ? '0.00' : formatAmount(amountMinor, currency))
  return {
    authorised: textOf(authorisedMinor),
    captured: textOf(capturedMinor),
    refunded: textOf(refundedMinor),
    chargedBack: textOf(chargedBackMinor),
    open: textOf(openMinor),
  }
}

/**
 * The JSON of the amounts. The fields are joined without `JSON.stringify`, which would take several times as long:
 * amounts have no characters to escape.
 */
export const amountsJson = ({ authorised, captured, refunded, chargedBack, open }: AmountsView): string =>
  `{"authorised":"${authorised}","captured":"${captured}","refunded":"${refunded}",` +
  `"chargedBack":"${chargedBack}","open":"${open}"}`
