import {
  cardWithoutPayment,
  FORM,
  formOf,
  type Parameters,
  type TestAnswer,
  type TestGateway,
} from '@tollgate/gateway/testing'

/** The parameters with which the merchant creates a checkout. */
export const checkoutParameters = {
  amount: '92.00',
  currency: 'EUR',
  paymentType: 'DB',
  shopperResultUrl: 'https://shop.example/done?x=1',
}
export const card = cardWithoutPayment()

export interface CheckoutRequests {
  /** Creates a checkout. @returns its id */
  readonly create: (parameters?: Parameters) => Promise<string>
  /** Submits the form without an access token, as the frames of the widget do. */
  readonly submit: (id: string, parameters: Parameters, resource?: string) => Promise<TestAnswer>
  readonly status: (id: string, resource?: string) => Promise<TestAnswer>
}

export const checkoutRequests = ({ request, send }: TestGateway): CheckoutRequests => ({
  create: async (parameters = checkoutParameters) => (await send('POST', '/v1/checkouts', parameters)).body.id,
  submit: (id, parameters, resource = 'payment') =>
    request({
      method: 'POST',
      url: `/v1/checkouts/${id}/${resource}`,
      headers: { 'content-type': FORM },
      payload: formOf(parameters),
    }),
  status: (id, resource = 'payment') => send('GET', `/v1/checkouts/${id}/${resource}`),
})
