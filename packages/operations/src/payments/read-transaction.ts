import { isPaymentType } from '@tollgate/domain'
import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'
import type { PathRequest } from '../requests.ts'
import { visibilityOf } from '../directory/visibility.ts'
import { renderTransaction } from '../records/transaction-view.ts'

/**
 * Reads a payment or a standalone risk check. "404: an id with no payment" (contract). On legacy channels, it also
 * reads a registration.
 */
export const readPayment = transactionReader(
  (type, isLegacy) => isPaymentType(type) || type === 'RI' || (type === 'RG' && isLegacy),
)

/** Reads a standalone authentication. */
export const readThreeDSecure = transactionReader((type) => type === '3D')

/**
 * Reads a transaction by its id. "On GET entityId may be missing; if it is sent it must match": the sent entity, or by
 * default the entity of the caller, must be the transaction's channel or an entity above it. A read by another entity
 * of the same merchant is refused; any other read is answered like an unknown id.
 */
function transactionReader(isReadable: (type: string, isLegacy: boolean) => boolean) {
  return async (context: Context, request: PathRequest): Promise<Answer> => {
    const tree = await context.storage.treeOf(request.id)
    const row = tree?.transactions.find(({ id }) => id === request.id)
    const isLegacy = context.directory.channel(row?.channel ?? '')?.settings.compatibility === 'legacy'
    const visibility = row && isReadable(row.type, isLegacy) ? visibilityOf(context, request, row) : 'unknown'
    if (!row || visibility === 'unknown') return context.render.refusal(404, '700.400.580', request)
    if (visibility === 'otherChannel') return context.render.refusal(400, '700.400.700', request)
    return { status: 200, code: '000.000.100', body: renderTransaction(context.render, row, request) }
  }
}
