import { checkParameters, maskCardNumbers, parametersOf, type RequestParameters } from '@tollgate/contract'
import type { Answer } from '../answer.ts'
import { areLegacy } from '../directory/channel.ts'
import type { Context } from '../context.ts'
import type { AccountOnFile } from '../parameters/account-on-file.ts'
import type { SentAccount } from '../parameters/account.ts'
import { accountRequest, type AccountRequest, onFileRequest } from '../parameters/account-request.ts'
import { readOfferedRegistrations } from '../parameters/offered-registrations.ts'
import { readStoredParameters, storedParameters } from '../records/stored-parameters.ts'
import type { Requests, SubmitRequest } from '../requests.ts'
import type { StoredCheckout } from './checkout-record.ts'

/**
 * The parameters that the shopper submitted, merged with those that the merchant prepared, as one request of the
 * merchant. Prepared parameters take precedence.
 *
 * @returns a refusal if the merged parameters are invalid, or if the checkout does not offer the registration
 */
export function checkoutRequest(
  { directory, render }: Context,
  request: SubmitRequest,
  { row, parameters, isRegistration }: StoredCheckout,
): { readonly request: AccountRequest<SentAccount> | AccountRequest<AccountOnFile> } | { readonly refusal: Answer } {
  const { id: ndc, caller, registrationId } = request
  const offeredIds = isRegistration ? [] : readOfferedRegistrations(Object.entries(parameters))
  if (registrationId !== undefined && !offeredIds.includes(registrationId)) {
    const error = {
      name: 'registrationId',
      value: maskCardNumbers(registrationId),
      message: 'must be the id of a registration that the checkout offers',
    }
    return { refusal: render.refusal(400, '200.300.404', { ...request, ndc }, { parameterErrors: [error] }) }
  }
  const channels = directory.channelsFor(caller, row.entity_id)
  const merged = parametersOf({ ...parameters, entityId: row.entity_id }, request.parameters)
  const operation = isRegistration ? 'createRegistration' : registrationId ? 'payWithRegistration' : 'createPayment'
  const paymentParameters = parametersOf(withoutTypeOverrides(parameters, row.entity_id), request.parameters)
  const parameterErrors = checkParameters(paymentParameters, operation, {
    compatibility: areLegacy(channels) ? 'legacy' : 'strict',
  }).filter(({ name }) => !customerName.has(name) || hasCustomerData(merged))
  if (parameterErrors.length > 0) {
    return { refusal: render.refusal(400, '200.300.404', { ...request, ndc }, { parameterErrors }) }
  }
  const head = { ...request, ndc, entityId: row.entity_id, channels, parameters: merged }
  return { request: registrationId ? onFileRequest(operation, head, registrationId) : accountRequest(operation, head) }
}

/**
 * The stored parameters of a checkout after a change by the merchant.
 *
 * @returns a refusal if the combined parameters are invalid
 */
export function updatedParameters(
  { render }: Context,
  request: Requests['updateCheckout'],
  { parameters }: StoredCheckout,
): { readonly parameters: string } | { readonly refusal: Answer } {
  const updated = storedParameters(request.parameters, parameters)
  const merged = parametersOf({ entityId: request.entityId ?? '', ...readStoredParameters(updated) })
  const compatibility = areLegacy(request.channels) ? 'legacy' : 'strict'
  const parameterErrors = checkParameters(merged, 'createCheckout', { compatibility })
  if (parameterErrors.length === 0) return { parameters: updated }
  return { refusal: render.refusal(400, '200.300.404', request, { parameterErrors }) }
}

/** "Required whenever any other customer field is sent": the widget's browser fields alone do not count. */
const customerName: ReadonlySet<string> = new Set(['customer.givenName', 'customer.surname'])

const hasCustomerData = ({ sent }: RequestParameters): boolean =>
  sent.some(({ name }) => name.startsWith('customer.') && !name.startsWith('customer.browser.'))

/** The prepared parameters of the payment: all except overridePaymentType, which only the checkout uses. */
const withoutTypeOverrides = (parameters: StoredCheckout['parameters'], entityId: string) => ({
  ...Object.fromEntries(Object.entries(parameters).filter(([name]) => !name.startsWith('overridePaymentType['))),
  entityId,
})
