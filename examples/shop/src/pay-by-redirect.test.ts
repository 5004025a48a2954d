import { describe, expect, test } from 'vitest'
import { PAYMENT, SHOP_URL, type Answer, codes, locationOf, result, testShop } from './testing/test-shop.ts'

const shop = testShop()

describe('a payment by redirect', () => {
  const redirect = { url: 'https://bank.example/pay?bank=1', parameters: [{ name: 'token', value: '"a&b' }] }
  const pending =
    (changes: object): Answer =>
    () => ({ id: PAYMENT, ...result(codes.pending), redirect: { ...redirect, ...changes } })

  test('redirects by GET with the parameters in the query', async () => {
    await shop().fillCart()
    shop().answer = pending({ method: 'GET' })
    const response = await shop().post('/redirect', { brand: 'IDEAL' })
    expect([response.status, locationOf(response)]).toEqual([303, 'https://bank.example/pay?bank=1&token=%22a%26b'])
    expect(shop().received[0]?.form).toMatchObject({
      paymentBrand: 'IDEAL',
      amount: '25.00',
      shopperResultUrl: `${SHOP_URL}/result`,
    })
  })

  test('redirects by POST with a form, whose page permits the script that submits it', async () => {
    await shop().fillCart()
    shop().answer = pending({})
    const { body, headers } = await shop().post('/redirect', { brand: 'PAYPAL' })
    expect(body).toContain('method="post" action="https://bank.example/pay?bank=1"')
    expect(body).toContain('<input type="hidden" name="token" value="&quot;a&amp;b">')
    const nonce = /<script nonce="([^"]+)">/.exec(body)?.[1]
    expect(headers['content-security-policy']).toContain(`script-src 'nonce-${nonce}'`)
  })

  test('is completed when the shopper returns and the shop has queried its status', async () => {
    await shop().fillCart()
    shop().answer = pending({ method: 'GET' })
    await shop().post('/redirect', { brand: 'IDEAL' })
    shop().answer = shop().paidOrder()
    expect((await shop().openResult(`/v1/payments/${PAYMENT}`)).body).toContain('Thank you!')
  })

  test('is not sent to the gateway with a brand that is not offered', async () => {
    await shop().fillCart()
    expect(locationOf(await shop().post('/redirect', { brand: 'VISA' }))).toBe('/cart')
    expect(shop().received).toEqual([])
  })
})
