import {
  cardWithoutPayment,
  FORM,
  formOf,
  type Parameters,
  type TestAnswer,
  type TestGateway,
} from '@tollgate/gateway/testing'

/** The parameters that a merchant prepares. */
export const prepared = {
  amount: '92.00',
  currency: 'EUR',
  paymentType: 'DB',
  shopperResultUrl: 'https://shop.example/done?x=1',
}
export const card = cardWithoutPayment()

export interface CheckoutRequests {
  /** The id of a new checkout. */
  readonly create: (parameters?: Parameters) => Promise<string>
  /** Sent as the widget's frames do: without a token. */
  readonly submit: (id: string, parameters: Parameters, what?: string) => Promise<TestAnswer>
  readonly status: (id: string, what?: string) => Promise<TestAnswer>
}

export const checkoutRequests = ({ request, send }: TestGateway): CheckoutRequests => ({
  create: async (parameters = prepared) => (await send('POST', '/v1/checkouts', parameters)).body.id,
  submit: (id, parameters, what = 'payment') =>
    request({
      method: 'POST',
      url: `/v1/checkouts/${id}/${what}`,
      headers: { 'content-type': FORM },
      payload: formOf(parameters),
    }),
  status: (id, what = 'payment') => send('GET', `/v1/checkouts/${id}/${what}`),
})
