import { afterAll, describe, expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { sandboxIds, sandboxToken } from '@tollgate/operations'
import {
  cardWithoutPayment,
  cardPayment,
  FORM,
  formOf,
  type Parameters,
  summary,
  testGateway,
} from '../../testing/test-gateway.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { request, send } = tollgate

const ITEMS = 1_000
const PARAMETERS_MAX = 20_000
const item = {
  name: 'Tea of the first harvest',
  merchantItemId: 'SKU-0007-0001',
  quantity: '2',
  price: '1.19',
  tax: '19.00',
  taxAmount: '0.19',
  totalTaxAmount: '0.38',
  totalAmount: '2.38',
}

/**
 * A full cart whose items have descriptions of 100 times one character. The character 茶 makes the body more than
 * twice as large: percent-encoded, it has nine bytes.
 */
const cart = (character: string): Parameters =>
  Object.fromEntries(
    Array.from({ length: ITEMS }, (_, index) =>
      Object.entries({ ...item, description: character.repeat(100) }).map(
        ([name, value]) => [`cart.items[${index}].${name}`, value] as const,
      ),
    ).flat(),
  )

const WITH_TOKEN = { authorization: `Bearer ${sandboxToken}` }
const amount = { amount: '92.00', currency: 'EUR', paymentType: 'DB' }

describe.each(['x', '茶'])('1,000 items with descriptions of 100 characters such as %s', (character) => {
  const items = cart(character)
  const lastItem = { ...item, description: character.repeat(100), quantityUnit: 'COUNT' }
  const expectWholeCart = (body: { cart?: { items: readonly unknown[] } }) => {
    expect([body.cart?.items.length, body.cart?.items.at(-1)]).toEqual([ITEMS, lastItem])
  }

  test('are paid once per idempotency key, read, queried and refunded', async () => {
    const payment = cardPayment({ ...items, merchantTransactionId: `cart-${character.charCodeAt(0)}` })
    const headers = { 'idempotency-key': `cart-${character.charCodeAt(0)}` }
    const paid = await send('POST', '/v1/payments', payment, headers)
    expect(summary(paid)).toEqual([200, '000.100.110'])
    expectWholeCart(paid.body)
    const again = await send('POST', '/v1/payments', payment, headers)
    expect([again.status, again.body.id]).toEqual([200, paid.body.id])
    expectWholeCart((await send('GET', `/v1/payments/${paid.body.id}`)).body)
    for (const [path, list] of [
      ['/v1/query', 'payments'],
      ['/v3/query', 'records'],
    ] as const) {
      const queried = await send('GET', path, { merchantTransactionId: payment.merchantTransactionId })
      expect([queried.status, queried.body[list].length]).toEqual([200, 1])
      expectWholeCart(queried.body[list][0])
    }
    const refunded = await send('POST', `/v1/payments/${paid.body.id}`, { ...amount, ...items, paymentType: 'RF' })
    expect(summary(refunded)).toEqual([200, '000.100.110'])
    expectWholeCart(refunded.body)
  })

  test('are prepared and paid in a checkout', async () => {
    const checkout = await send('POST', '/v1/checkouts', { ...amount, ...items })
    expect(summary(checkout)).toEqual([200, '000.200.100'])
    const url = `/v1/checkouts/${checkout.body.id}/payment`
    const paid = await request({
      method: 'POST',
      url,
      headers: { 'content-type': FORM },
      payload: formOf(cardWithoutPayment()),
    })
    expect(paid.status).toBe(200)
    expectWholeCart((await send('GET', url)).body)
  })
})

describe('a refusal because of size reports only the maximum', () => {
  const post = (payload: string) =>
    request({ method: 'POST', url: '/v1/payments', headers: { ...WITH_TOKEN, 'content-type': FORM }, payload })

  test.each([sandboxIds.channel, sandboxIds.legacyChannel])(
    'of the number of parameters, on channel %s',
    async (entityId) => {
      const many = 'customParameters%5Babc%5D=x&'.repeat(PARAMETERS_MAX)
      const { status, body } = await post(many + formOf({ ...cardPayment(), entityId, amount: 'x' }))
      const message = `must be at most ${PARAMETERS_MAX} parameters`
      expect([status, body.result.parameterErrors]).toEqual([400, [{ name: '', value: '', message }]])
    },
  )

  test('of the length of the body', async () => {
    const { status, body, text } = await post('x'.repeat(limits.bodyBytesMax + 1))
    const description = `The request body is larger than ${limits.bodyBytesMax} bytes.`
    expect([status, body.result]).toEqual([413, { code: '200.100.103', description }])
    expect(text).not.toContain('parameterErrors')
  })
})
