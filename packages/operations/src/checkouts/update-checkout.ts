import { checkParameters, parametersOf } from '@tollgate/contract'
import { whyNotOpen } from '@tollgate/domain'
import { areLegacy } from '../directory/channel.ts'
import { channelFor } from '../directory/visibility.ts'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { Requests } from '../requests.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { checkoutAnswer, missingAnswer, whyMissing } from './checkout-answers.ts'
import { readCheckout } from './checkout-record.ts'
import { integrity, whyNotPrepared } from './create-checkout.ts'
import { storedParameters } from '../records/stored-parameters.ts'

/** Puts what is sent in the place of what was prepared, until the shopper has submitted it. */
export async function updateCheckout(context: Context, request: Requests['updateCheckout']): Promise<PendingUnit> {
  const { directory, render } = context
  const stored = await readCheckout(context, request.id)
  const { entityId = '' } = request
  if (!stored || !directory.reaches(entityId, stored.row.entity_id)) {
    return { answer: missingAnswer(context, request, whyMissing(context, request.id)) }
  }
  if (request.atMs >= stored.expiresAtMs) return { answer: missingAnswer(context, request, 'expired') }
  const why = whyNotOpen({ checkout: stored, atMs: request.atMs })
  if (why) return { answer: refusalAnswer(context, request, why) }
  const notPrepared = await whyNotPrepared(context, request, channelFor(request))
  if (notPrepared) return notPrepared
  const parameters = storedParameters(request.parameters, stored.parameters)
  const whole = parametersOf({ entityId, ...JSON.parse(parameters) })
  const wrong = checkParameters(whole, 'createCheckout', {
    compatibility: areLegacy(request.channels) ? 'legacy' : 'strict',
  })
  if (wrong.length > 0) return { answer: render.refusal(400, '200.300.404', request, { parameterErrors: wrong }) }
  return {
    answer: checkoutAnswer(context, request, request.id, '000.200.101', integrity(context, request)),
    compareAndSets: [{ table: 'checkout', from: stored.row, to: { ...stored.row, parameters } }],
  }
}
