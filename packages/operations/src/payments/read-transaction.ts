import { isPaymentType } from '@tollgate/domain'
import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'
import type { PathRequest } from '../requests.ts'
import { placeOf } from '../directory/visibility.ts'
import { renderTransaction } from '../records/transaction-view.ts'

/**
 * Payments, and standalone risk checks, which are read in the same way. "404: an id with no payment" (contract), except
 * that older clients also read a registration here.
 */
export const readPayment = reader(
  (type, isLegacy) => isPaymentType(type) || type === 'RI' || (type === 'RG' && isLegacy),
)

/** Standalone authentications. */
export const readThreeDSecure = reader((type) => type === '3D')

/**
 * The response for a transaction id that the caller's token reaches; otherwise as if it did not exist. "On GET entityId
 * may be missing; if it is sent it must match": it is the transaction's channel or an entity above it.
 */
function reader(isReadable: (type: string, isLegacy: boolean) => boolean) {
  return async (context: Context, request: PathRequest): Promise<Answer> => {
    const tree = await context.storage.treeOf(request.id)
    const row = tree?.transactions.find(({ id }) => id === request.id)
    const isLegacy = context.directory.channel(row?.channel ?? '')?.settings.compatibility === 'legacy'
    const place = row && isReadable(row.type, isLegacy) ? placeOf(context, request, row) : 'unknown'
    if (!row || place === 'unknown') return context.render.refusal(404, '700.400.580', request)
    if (place === 'elsewhere') return context.render.refusal(400, '700.400.700', request)
    return { status: 200, code: '000.000.100', body: renderTransaction(context.render, row, request) }
  }
}
