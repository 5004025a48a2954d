import { maskCardNumbers } from '@tollgate/contract'
import { returnAddressRefusal } from '@tollgate/domain'
import type { CheckoutRow } from '@tollgate/storage'
import type { ParameterErrorView } from '../answer.ts'
import type { Channel } from '../directory/channel.ts'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { CheckoutRequest } from '../requests.ts'
import { limits } from '../limits.ts'
import { requiredChannelOf, visibilityOf } from '../directory/visibility.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { checkoutAnswer } from './checkout-answers.ts'
import { storedParameters } from '../records/stored-parameters.ts'

/** Prepares a checkout: the answer "contains the checkout id". The operation creates no payment and sends no event. */
export async function createCheckout(context: Context, request: CheckoutRequest): Promise<PendingUnit> {
  const channel = requiredChannelOf(request)
  const parameters = storedParameters(request.parameters)
  const refusal = await preparationRefusal(context, request, channel)
  if (refusal) return refusal
  const { ids, environment } = context
  const id = `${ids.random().toUpperCase()}.${environment}`
  const row: CheckoutRow = {
    id,
    merchant: channel.merchant,
    entity_id: request.entityId ?? channel.id,
    parameters,
    transaction_id: null,
    submitted_at_ms: null,
    read_at_ms: null,
    created_at_ms: request.atMs,
    expires_at_ms: request.atMs + limits.checkoutMs,
    declines: null,
  }
  return {
    answer: checkoutAnswer(context, request, id, '000.200.100', integrityOf(context, request)),
    rows: { checkout: [row] },
  }
}

/** "integrity: when true, the integrity hash of the payment script is computed and returned." */
export const integrityOf = ({ pages }: Context, request: CheckoutRequest): string | undefined =>
  request.integrity ? pages.integrityOf('paymentWidgets.js') : undefined

/**
 * The refusal of a return address that the channel does not permit, of too many registrations, or of registrations that
 * the entity cannot offer; undefined if there is no reason to refuse.
 */
export async function preparationRefusal(
  context: Context,
  request: CheckoutRequest,
  channel: Channel,
): Promise<PendingUnit | undefined> {
  const refusal = returnAddressRefusal(channel.settings.shopperResultOrigins, request.reference.shopperResultUrl)
  if (refusal) return { answer: refusalAnswer(context, request, refusal) }
  const parameterErrors = await registrationErrors(context, request)
  if (parameterErrors.length === 0) return undefined
  return { answer: context.render.refusal(400, '200.300.404', request, { parameterErrors }) }
}

async function registrationErrors(context: Context, request: CheckoutRequest): Promise<readonly ParameterErrorView[]> {
  const { offeredRegistrations } = request
  if (offeredRegistrations.length > limits.offeredRegistrationsMax) {
    const message = `must be at most ${limits.offeredRegistrationsMax} registrations`
    return [{ name: 'registrations[n].id', value: '', message }]
  }
  const rows = await Promise.all(offeredRegistrations.map((id) => context.storage.registration(id)))
  return offeredRegistrations.flatMap((value, index) => {
    const row = rows[index]
    const isVisible = row && row.deleted_at_ms === null && visibilityOf(context, request, row) === 'visible'
    const name = `registrations[${index}].id`
    return isVisible
      ? []
      : [{ name, value: maskCardNumbers(value), message: 'must be the id of a registration of this entity' }]
  })
}
