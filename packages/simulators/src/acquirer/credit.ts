import { approve, approvedTransactionOf, creditChecks, firstRefusal } from './authorise.ts'
import { changeBalance, type Decide, decline, findRoot, type HostContext, type HostDecision, post } from './decision.ts'
import type { Change } from './host-state.ts'
import type { HostTransaction } from './transaction.ts'

/**
 * A refund. One that names a payment is limited to the captured amount that is not refunded; one without a reference
 * credits the card.
 */
export const refund: Decide = (context) => {
  const refusal = firstRefusal(creditChecks, context)
  if (refusal !== undefined) return decline(context, 'refund', refusal)
  const found = findRoot(context)
  if (found === undefined) return credit(context, 'refund', undefined)
  if ('code' in found) return decline(context, 'refund', found.code)
  const { root } = found
  const refundableMinor = root.capturedMinor - root.refundedMinor
  return context.request.amountMinor > refundableMinor
    ? decline(context, 'refund', '64')
    : credit(context, 'refund', root)
}

/** A payout to a card: an original credit transaction. */
export const payOut: Decide = (context) => {
  const refusal = firstRefusal(creditChecks, context)
  return refusal === undefined ? credit(context, 'payout', undefined) : decline(context, 'payout', refusal)
}

function credit(context: HostContext, kind: 'refund' | 'payout', root: HostTransaction | undefined): HostDecision {
  const { amountMinor } = context.request
  const transaction = approvedTransactionOf(context, kind, {
    code: '00',
    root,
    amounts: { refundedMinor: amountMinor },
  })
  const changes: readonly Change[] =
    root === undefined
      ? []
      : [{ kind: 'update', id: root.id, amounts: { refundedMinor: root.refundedMinor + amountMinor } }]
  return approve(context, transaction, [
    ...changes,
    post(context, 'credits', amountMinor),
    changeBalance(context, amountMinor),
  ])
}
