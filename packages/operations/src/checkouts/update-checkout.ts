import { checkoutRefusal } from '@tollgate/domain'
import { channelFor } from '../directory/visibility.ts'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { Requests } from '../requests.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { checkoutAnswer, missingAnswer, missingReason } from './checkout-answers.ts'
import { readCheckout } from './checkout-record.ts'
import { updatedParameters } from './checkout-request.ts'
import { integrity, preparationRefusal } from './create-checkout.ts'

/** Replaces the prepared parameters, until the shopper submits. */
export async function updateCheckout(context: Context, request: Requests['updateCheckout']): Promise<PendingUnit> {
  const stored = await readCheckout(context, request.id)
  if (!stored || !context.directory.reaches(request.entityId ?? '', stored.row.entity_id)) {
    return { answer: missingAnswer(context, request, missingReason(context, request.id)) }
  }
  if (request.atMs >= stored.expiresAtMs) return { answer: missingAnswer(context, request, 'expired') }
  const why = checkoutRefusal({ checkout: stored, atMs: request.atMs })
  if (why) return { answer: refusalAnswer(context, request, why) }
  const refusal = await preparationRefusal(context, request, channelFor(request))
  if (refusal) return refusal
  const updated = updatedParameters(context, request, stored)
  if ('wrong' in updated) return { answer: updated.wrong }
  return {
    answer: checkoutAnswer(context, request, request.id, '000.200.101', integrity(context, request)),
    compareAndSets: [{ table: 'checkout', from: stored.row, to: { ...stored.row, ...updated } }],
  }
}
