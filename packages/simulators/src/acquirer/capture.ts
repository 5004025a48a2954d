import { approve, isOpenHold } from './authorise.ts'
import {
  changeBalance,
  type Decide,
  decline,
  findRoot,
  type HostContext,
  type HostDecision,
  post,
  transactionOf,
} from './decision.ts'
import type { HostTransaction } from './transaction.ts'

/**
 * An advice of a debit: the capture of an authorisation, or a sale that the terminal approved offline if the advice
 * names no authorisation. Funds are no reason to decline an advice.
 */
export const acceptAdvice: Decide = (context) => {
  const { state, request } = context
  if (state.earlyReversals.has(request.reference)) return decline(context, 'capture', '12')
  if (request.amountMinor === 0) return decline(context, 'capture', '13')
  const found = findRoot(context)
  if (found === undefined) return request.card.isValid ? postOffline(context) : decline(context, 'sale', '14')
  if ('code' in found) return decline(context, 'capture', found.code)
  if (!isOpenHold(found.root)) return decline(context, 'capture', '12')
  const openMinor = found.root.authorisedMinor - found.root.capturedMinor
  return request.amountMinor > openMinor ? decline(context, 'capture', '64') : capture(context, found.root, openMinor)
}

function capture(context: HostContext, root: HostTransaction, openMinor: number): HostDecision {
  const { amountMinor, isFinalCapture, approvalCode } = context.request
  const amounts = { capturedMinor: amountMinor }
  const transaction = transactionOf(context, 'capture', { code: '00', root, approvalCode, amounts })
  const release = changeBalance(context, openMinor - amountMinor)
  return approve(context, transaction, [
    // A hold that is captured in full stays open for the reversal of a capture; only the client ends it.
    {
      kind: 'update',
      id: root.id,
      amounts: { capturedMinor: root.capturedMinor + amountMinor, isFinal: isFinalCapture },
    },
    post(context, 'debits', amountMinor),
    ...(isFinalCapture && amountMinor < openMinor ? [release] : []),
  ])
}

function postOffline(context: HostContext): HostDecision {
  const { amountMinor, approvalCode } = context.request
  const amounts = { authorisedMinor: amountMinor, capturedMinor: amountMinor }
  const transaction = transactionOf(context, 'sale', { code: '00', approvalCode, amounts })
  return approve(context, transaction, [changeBalance(context, -amountMinor), post(context, 'debits', amountMinor)])
}
