import { describe, expect, test } from 'vitest'
import { limits } from './limits.ts'
import {
  CHECKOUT,
  CHECKOUT_PATH,
  ENTITY,
  PAYMENT,
  REGISTRATION,
  codes,
  createdCheckout,
  locationOf,
  result,
  testShop,
} from './testing/test-shop.ts'

const shop = testShop()
const OTHER_CHECKOUT = CHECKOUT.replace('A', 'B')

describe('the result', () => {
  test.each([
    ['000.000.000', 'Thank you!', 'packed'],
    ['000.100.110', 'Thank you!', 'packed'],
    ['000.400.000', 'Thank you!', 'checking your order'],
    ['000.200.000', 'Not confirmed yet', 'do not pay again'],
    ['800.400.500', 'Not confirmed yet', 'do not pay again'],
    ['800.120.100', 'Not confirmed yet', 'do not pay again'],
    ['800.100.155', 'Payment declined', 'Nothing was taken'],
    ['000.400.030', 'Payment declined', 'Nothing was taken'],
    ['100.396.101', 'Payment cancelled', 'You cancelled the payment'],
    ['100.397.101', 'Payment cancelled', 'You cancelled the payment'],
    ['100.396.103', 'Payment declined', 'The payment was declined'],
  ])('of the code %s has the title %j and the text %j', async (code, title, text) => {
    await shop().startCheckout()
    shop().answer = shop().paidOrder(result(code))
    const { body } = await shop().openResult(CHECKOUT_PATH)
    expect(shop().received.at(-1)).toMatchObject({ method: 'GET', path: `${CHECKOUT_PATH}?entityId=${ENTITY}` })
    expect(body).toContain(`<h1>${title}</h1>`)
    expect(body).toContain(text)
  })

  test('of an unpaid checkout leads back to it', async () => {
    const page = await shop().startCheckout()
    shop().answer = () => ({ id: CHECKOUT, ...result(codes.pending) })
    const { body } = await shop().openResult(CHECKOUT_PATH)
    expect(body).toContain('Not paid yet')
    expect(body).toContain(`href="${page}"`)
    expect(body).not.toContain('do not pay again')
  })

  test('is queried at most twice a minute, and no more once the payment is approved', async () => {
    await shop().startCheckout()
    shop().answer = shop().paidOrder(result(codes.pending))
    for (let second = 0; second < 60; second += 5) {
      expect((await shop().openResult(CHECKOUT_PATH)).headers['refresh']).toBe('15')
      shop().nowMs += 5_000
    }
    expect(shop().received.filter(({ method }) => method === 'GET')).toHaveLength(2)
    shop().nowMs += limits.statusQueryIntervalMs
    const [creation] = shop().received
    shop().answer = () => ({ ...creation?.form, id: PAYMENT, ...result(codes.approved) })
    expect((await shop().openResult(CHECKOUT_PATH)).body).toContain('Thank you!')
    shop().nowMs += limits.statusQueryIntervalMs
    expect((await shop().openResult(CHECKOUT_PATH)).headers['refresh']).toBeUndefined()
    expect(shop().received.filter(({ method }) => method === 'GET')).toHaveLength(3)
  })

  test.each([
    ['another amount', { amount: '0.01' }],
    ['another currency', { currency: 'JPY' }],
  ])('of an approval of %s is in review', async (_, changes) => {
    await shop().startCheckout()
    shop().answer = shop().paidOrder(changes)
    expect((await shop().openResult(CHECKOUT_PATH)).body).toContain('checking your order')
  })

  test('of another order does not complete the order', async () => {
    await shop().startCheckout()
    shop().answer = shop().paidOrder({ merchantTransactionId: 'order-of-another-customer' })
    expect((await shop().openResult(CHECKOUT_PATH)).body).toContain('Not confirmed yet')
  })

  test.each([
    '/v1/checkouts/UNKNOWN000000000000000000000000000.x/payment',
    'https://evil.example/v1/payments/8ac7a4a0853f4d1b9c2e6f7a1b3c5d7e',
    '//evil.example/v1/payments/8ac7a4a0853f4d1b9c2e6f7a1b3c5d7e',
    `/v1/payments/${PAYMENT}/../../query`,
    `/v1/payments/${PAYMENT}?x`,
    '/v1/query',
    '',
  ])('is not queried at the path %j', async (path) => {
    const response = await shop().openResult(path)
    expect([response.status, shop().received]).toEqual([404, []])
  })

  test('completes the order once, even if the gateway also requests the page', async () => {
    await shop().startCheckout({ with: 'cards', store: 'true' })
    expect(shop().lastForm).toMatchObject({ createRegistration: 'true', 'standingInstruction.mode': 'INITIAL' })
    const shopper = shop().cookie
    shop().cookie = ''
    shop().answer = shop().paidOrder({
      registrationId: REGISTRATION,
      paymentBrand: 'VISA',
      card: { last4Digits: '1111' },
    })
    const gatewayPage = await shop().openResult(CHECKOUT_PATH)
    expect(gatewayPage.body).toContain('another browser')
    expect(gatewayPage.body).not.toContain('Sencha')
    shop().cookie = shopper
    expect((await shop().openResult(CHECKOUT_PATH)).body).toContain('Thank you!')
    expect(shop().received.filter(({ method }) => method === 'GET')).toHaveLength(1)
    expect((await shop().get('/cards')).body).toContain('···· 1111')
    expect((await shop().get('/cart')).body).toContain('nothing in it')
  })

  test('of a payment whose checkout has expired is queried at the path of the payment', async () => {
    await shop().startCheckout()
    shop().answer = shop().paidOrder()
    expect((await shop().openResult(`/v1/payments/${PAYMENT}`)).body).toContain('Thank you!')
  })

  test('leaves products in the cart that another tab has added or ordered', async () => {
    const firstPage = await shop().startCheckout()
    const approvedFirst = shop().paidOrder()
    await shop().post('/cart', { product: 'sencha', more: '1' })
    await shop().post('/cart', { product: 'kettle', more: '1' })
    const otherCheckout = createdCheckout(OTHER_CHECKOUT)
    shop().answer = () => otherCheckout
    expect(locationOf(await shop().send('POST', '/pay'))).not.toBe(firstPage)
    const approvedSecond = shop().paidOrder()
    shop().answer = approvedFirst
    expect((await shop().openResult(CHECKOUT_PATH)).body).toContain('Thank you!')
    // The cart contains one Sencha and a kettle.
    expect((await shop().get('/cart')).body).toContain('€76.50')
    await shop().post('/cart', { product: 'sencha', quantity: '4' })
    shop().answer = approvedSecond
    expect((await shop().openResult(`/v1/checkouts/${otherCheckout.id}/payment`)).body).toContain('Thank you!')
    expect((await shop().get('/cart')).body).toContain('€12.50')
  })

  test.each([
    ['de', 'Code des Zahlungsdienstes', 'Sie haben die Zahlung abgebrochen'],
    ['ar', 'رمز خدمة الدفع', 'لقد ألغيت عملية الدفع'],
  ])('is shown in the language %s, without English texts of the gateway', async (language, label, text) => {
    await shop().get(`/?lang=${language}`)
    await shop().startCheckout()
    shop().answer = shop().paidOrder(result('100.396.101'))
    const { body } = await shop().openResult(CHECKOUT_PATH)
    expect(body).toContain(`${label}: <bdi>100.396.101</bdi>`)
    expect(body).toContain(text)
    expect(body).not.toContain('description of')
  })

  test('of a decline keeps the cart, and the next attempt may be approved', async () => {
    await shop().startCheckout()
    const approved = shop().paidOrder()
    shop().answer = shop().paidOrder(result(codes.declined))
    expect((await shop().openResult(CHECKOUT_PATH)).body).toContain('href="/cart">Try again')
    expect((await shop().get('/cart')).body).toContain('€25.00')
    shop().nowMs += limits.statusQueryIntervalMs
    shop().answer = approved
    expect((await shop().openResult(CHECKOUT_PATH)).body).toContain('Thank you!')
  })
})
