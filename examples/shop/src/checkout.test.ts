import { describe, expect, test, vi } from 'vitest'
import { customerData } from './customer-data.ts'
import {
  CHECKOUT,
  ENTITY,
  INTEGRITY,
  TOKEN,
  SHOP_URL,
  createdCheckout,
  locationOf,
  result,
  testShop,
} from './testing/test-shop.ts'

const shop = testShop()

describe('a checkout with the widget', () => {
  test('has the amount of the cart, not an amount from the browser', async () => {
    await shop().startCheckout({ with: 'cards', amount: '0.01', merchantTransactionId: 'mine' })
    expect(shop().received).toHaveLength(1)
    expect(shop().received[0]).toMatchObject({
      method: 'POST',
      path: '/v1/checkouts',
      authorization: `Bearer ${TOKEN}`,
    })
    expect(shop().lastForm).toEqual({
      entityId: ENTITY,
      paymentType: 'DB',
      amount: '25.00',
      currency: 'EUR',
      merchantTransactionId: shop().received[0]?.idempotencyKey,
      shopperResultUrl: `${SHOP_URL}/result`,
      ...customerData,
      integrity: 'true',
      'cart.items[0].merchantItemId': 'sencha',
      'cart.items[0].name': 'Sencha',
      'cart.items[0].quantity': '2',
      'cart.items[0].price': '12.50',
      'cart.items[0].totalAmount': '25.00',
    })
  })

  test('has a page with the script and its digest, the form, and the required policy', async () => {
    const { body, headers } = await shop().get(await shop().startCheckout())
    const scriptUrl = `https://gateway.example/v1/paymentWidgets.js?checkoutId=${CHECKOUT}`
    expect(body).toContain(`<script src="${scriptUrl}" integrity="${INTEGRITY}" crossorigin="anonymous"></script>`)
    expect(body).toContain(`<form action="${SHOP_URL}/result" class="paymentWidgets" data-brands="VISA MASTER`)
    const nonce = /<script nonce="([^"]+)">var wpwlOptions = \{ locale: 'en', style: 'card' \}/.exec(body)?.[1]
    const policy = headers['content-security-policy'] ?? ''
    expect(policy).toContain(`script-src 'nonce-${nonce}' https://gateway.example;`)
    for (const directive of ['style', 'frame', 'connect', 'img'])
      expect(policy).toMatch(new RegExp(`${directive}-src [^;]*https://gateway\\.example`))
    expect(body + policy).not.toContain(TOKEN)
    expect(policy).not.toContain('unsafe')
  })

  test('has a page that only the customer of the order can open', async () => {
    const page = await shop().startCheckout()
    shop().cookie = ''
    expect((await shop().get(page)).status).toBe(404)
  })

  test('has a mandate for a direct debit', async () => {
    const { body } = await shop().get(await shop().startCheckout({ with: 'debit' }))
    expect(body).toContain('data-brands="DIRECTDEBIT_SEPA"')
    expect(shop().lastForm['bankAccount.mandate.id']).toMatch(/^order-[a-p]{24}$/)
    expect(shop().lastForm['bankAccount.mandate.dateOfSignature']).toBe('2026-05-06')
  })

  test('that the gateway refuses leads to a page with the result code', async () => {
    shop().answer = () => result('800.900.300')
    await shop().fillCart()
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const response = await shop().send('POST', '/pay')
    stderr.mockRestore()
    expect([response.status, response.body.includes('800.900.300')]).toEqual([502, true])
  })

  test('is requested again with the same key if the gateway does not answer', async () => {
    let requests = 0
    shop().answer = () => ((requests += 1) === 1 ? undefined : createdCheckout())
    expect(await shop().startCheckout()).toMatch(/^\/pay\/order-/)
    expect(shop().received.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      shop().received[0]?.idempotencyKey,
      shop().received[0]?.idempotencyKey,
    ])
  })

  test('without an answer of the gateway warns the shopper not to pay again', async () => {
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    shop().answer = () => undefined
    await shop().fillCart()
    const response = await shop().send('POST', '/pay')
    stderr.mockRestore()
    expect([response.status, shop().received.length]).toEqual([502, 2])
    expect(response.body).toContain('please do not pay again')
  })
})

test('an empty cart starts no payment', async () => {
  const paths = ['/pay', '/redirect', '/card-form']
  const answers = await Promise.all(paths.map((path) => shop().send('POST', path, { brand: 'IDEAL' })))
  expect([answers.map(locationOf), shop().received]).toEqual([['/cart', '/cart', '/cart'], []])
})
