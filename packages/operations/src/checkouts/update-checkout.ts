import { checkoutRefusal } from '@tollgate/domain'
import { requiredChannelOf } from '../directory/visibility.ts'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { Requests } from '../requests.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { checkoutAnswer, missingAnswer, missingReason } from './checkout-answers.ts'
import { readCheckout } from './checkout-record.ts'
import { updatedParameters } from './checkout-request.ts'
import { integrityOf, preparationRefusal } from './create-checkout.ts'

/** Replaces prepared parameters of a checkout that the shopper has not yet paid. */
export async function updateCheckout(context: Context, request: Requests['updateCheckout']): Promise<PendingUnit> {
  const stored = await readCheckout(context, request.id)
  if (!stored || !context.directory.reaches(request.entityId ?? '', stored.row.entity_id)) {
    return { answer: missingAnswer(context, request, missingReason(context, request.id)) }
  }
  if (request.atMs >= stored.expiresAtMs) return { answer: missingAnswer(context, request, 'expired') }
  const refusal = checkoutRefusal({ checkout: stored, atMs: request.atMs })
  if (refusal) return { answer: refusalAnswer(context, request, refusal) }
  const refusedUnit = await preparationRefusal(context, request, requiredChannelOf(request))
  if (refusedUnit) return refusedUnit
  const updated = updatedParameters(context, request, stored)
  if ('refusal' in updated) return { answer: updated.refusal }
  return {
    answer: checkoutAnswer(context, request, request.id, '000.200.101', integrityOf(context, request)),
    compareAndSets: [{ table: 'checkout', from: stored.row, to: { ...stored.row, ...updated } }],
  }
}
