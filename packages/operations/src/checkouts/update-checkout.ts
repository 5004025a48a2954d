import { checkParameters, parametersOf } from '@tollgate/contract'
import { whyNotOpen } from '@tollgate/domain'
import { areLegacy } from '../directory/channel.ts'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { Call } from '../request.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { checkoutAnswer, missingAnswer, whyMissing } from './checkout-answers.ts'
import { readCheckout } from './checkout-record.ts'
import { firstOf, integrity, whyNotPrepared } from './create-checkout.ts'
import { storedParameters } from '../records/stored-parameters.ts'

/** Puts what is sent in the place of what was prepared, until the shopper has submitted it. */
export async function updateCheckout(context: Context, call: Call): Promise<PendingUnit> {
  const { directory, render } = context
  const stored = await readCheckout(context, call.id)
  const { entityId = '' } = call
  if (!stored || !directory.reaches(entityId, stored.row.entity_id)) {
    return { answer: missingAnswer(context, call, whyMissing(context, call.id)) }
  }
  if (call.atMs >= stored.expiresAtMs) return { answer: missingAnswer(context, call, 'expired') }
  const why = whyNotOpen({ checkout: stored, atMs: call.atMs })
  if (why) return { answer: refusalAnswer(context, call, why) }
  const notPrepared = await whyNotPrepared(context, call, firstOf(call))
  if (notPrepared) return notPrepared
  const parameters = storedParameters(call.parameters, stored.parameters)
  const whole = parametersOf({ entityId, ...JSON.parse(parameters) })
  const wrong = checkParameters(whole, 'createCheckout', {
    compatibility: areLegacy(call.channels) ? 'legacy' : 'strict',
  })
  if (wrong.length > 0) return { answer: render.refusal(400, '200.300.404', call, { parameterErrors: wrong }) }
  return {
    answer: checkoutAnswer(context, call, call.id, '000.200.101', integrity(context, call)),
    compareAndSets: [{ table: 'checkout', from: stored.row, to: { ...stored.row, parameters } }],
  }
}
