import { checkParameters, maskCardNumbers, parametersOf, type RequestParameters } from '@tollgate/contract'
import type { Answer } from '../answer.ts'
import { areLegacy } from '../directory/channel.ts'
import type { Context } from '../context.ts'
import type { AccountOnFile } from '../parameters/account-on-file.ts'
import type { SentAccount } from '../parameters/account.ts'
import { accountRequest, type AccountRequest, onFileRequest } from '../parameters/account-request.ts'
import { readOfferedRegistrations } from '../parameters/offered-registrations.ts'
import { readTexts, storedParameters } from '../records/stored-parameters.ts'
import type { Requests, SubmitRequest } from '../requests.ts'
import type { StoredCheckout } from './checkout-record.ts'

/**
 * The parameters that the shopper submitted, merged with those that the merchant prepared, as one request of the
 * merchant. Prepared parameters take precedence.
 *
 * @returns the refusal, if the merged parameters are invalid
 */
export function checkoutRequest(
  { directory, render }: Context,
  request: SubmitRequest,
  { row, parameters, registers }: StoredCheckout,
): { readonly request: AccountRequest<SentAccount> | AccountRequest<AccountOnFile> } | { readonly wrong: Answer } {
  const { id: ndc, caller, registrationId } = request
  const offered = registers ? [] : readOfferedRegistrations(Object.entries(parameters))
  if (registrationId !== undefined && !offered.includes(registrationId)) {
    const one = {
      name: 'registrationId',
      value: maskCardNumbers(registrationId),
      message: 'must be one that the checkout offers',
    }
    return { wrong: render.refusal(400, '200.300.404', { ...request, ndc }, { parameterErrors: [one] }) }
  }
  const channels = directory.channelsFor(caller, row.entity_id)
  const whole = parametersOf({ ...parameters, entityId: row.entity_id }, request.parameters)
  const made = registers ? 'createRegistration' : registrationId ? 'payWithRegistration' : 'createPayment'
  const wrong = checkParameters(parametersOf(withoutOffers(parameters, row.entity_id), request.parameters), made, {
    compatibility: areLegacy(channels) ? 'legacy' : 'strict',
  }).filter(({ name }) => !ofCustomer.has(name) || tellsOfCustomer(whole))
  if (wrong.length > 0) {
    return { wrong: render.refusal(400, '200.300.404', { ...request, ndc }, { parameterErrors: wrong }) }
  }
  const head = { ...request, ndc, entityId: row.entity_id, channels, parameters: whole }
  return { request: registrationId ? onFileRequest(made, head, registrationId) : accountRequest(made, head) }
}

/**
 * The stored parameters of a checkout after a change by the merchant.
 *
 * @returns a refusal if the parameters are invalid together
 */
export function updatedParameters(
  { render }: Context,
  request: Requests['updateCheckout'],
  { parameters }: StoredCheckout,
): { readonly parameters: string } | { readonly wrong: Answer } {
  const updated = storedParameters(request.parameters, parameters)
  const whole = parametersOf({ entityId: request.entityId ?? '', ...readTexts(updated) })
  const compatibility = areLegacy(request.channels) ? 'legacy' : 'strict'
  const wrong = checkParameters(whole, 'createCheckout', { compatibility })
  if (wrong.length === 0) return { parameters: updated }
  return { wrong: render.refusal(400, '200.300.404', request, { parameterErrors: wrong }) }
}

/** "Required whenever any other customer field is sent": except for a widget that sends only the browser's fields. */
const ofCustomer: ReadonlySet<string> = new Set(['customer.givenName', 'customer.surname'])

const tellsOfCustomer = ({ sent }: RequestParameters): boolean =>
  sent.some(({ name }) => name.startsWith('customer.') && !name.startsWith('customer.browser.'))

/** Parameters for the creation of a checkout only are no part of its payment. */
const withoutOffers = (parameters: StoredCheckout['parameters'], entityId: string) => ({
  ...Object.fromEntries(Object.entries(parameters).filter(([name]) => !name.startsWith('overridePaymentType['))),
  entityId,
})
