import { describe, expect, test, vi } from 'vitest'
import { customerData } from './customer-data.ts'
import {
  CHECKOUT,
  ENTITY,
  INTEGRITY,
  TOKEN,
  URL_OF_SHOP,
  created,
  locationOf,
  result,
  testShop,
} from './testing/test-shop.ts'

const shop = testShop()

describe('with the widget', () => {
  test('the amount is set by the shop, and not by the browser', async () => {
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
      merchantTransactionId: shop().received[0]?.key,
      shopperResultUrl: `${URL_OF_SHOP}/result`,
      ...customerData,
      integrity: 'true',
      'cart.items[0].merchantItemId': 'sencha',
      'cart.items[0].name': 'Sencha',
      'cart.items[0].quantity': '2',
      'cart.items[0].price': '12.50',
      'cart.items[0].totalAmount': '25.00',
    })
  })

  test('the page contains the script with its digest, the form, and the required policy', async () => {
    const { body, headers } = await shop().get(await shop().startCheckout())
    const source = `https://gateway.example/v1/paymentWidgets.js?checkoutId=${CHECKOUT}`
    expect(body).toContain(`<script src="${source}" integrity="${INTEGRITY}" crossorigin="anonymous"></script>`)
    expect(body).toContain(`<form action="${URL_OF_SHOP}/result" class="paymentWidgets" data-brands="VISA MASTER`)
    const nonce = /<script nonce="([^"]+)">var wpwlOptions = \{ locale: 'en', style: 'card' \}/.exec(body)?.[1]
    const policy = headers['content-security-policy'] ?? ''
    expect(policy).toContain(`script-src 'nonce-${nonce}' https://gateway.example;`)
    for (const kind of ['style', 'frame', 'connect', 'img'])
      expect(policy).toMatch(new RegExp(`${kind}-src [^;]*https://gateway\\.example`))
    expect(body + policy).not.toContain(TOKEN)
    expect(policy).not.toContain('unsafe')
  })

  test('only the customer of the order sees the page', async () => {
    const page = await shop().startCheckout()
    shop().cookie = ''
    expect((await shop().get(page)).status).toBe(404)
  })

  test('a direct debit has a mandate', async () => {
    const { body } = await shop().get(await shop().startCheckout({ with: 'debit' }))
    expect(body).toContain('data-brands="DIRECTDEBIT_SEPA"')
    expect(shop().lastForm['bankAccount.mandate.id']).toMatch(/^order-[a-p]{24}$/)
    expect(shop().lastForm['bankAccount.mandate.dateOfSignature']).toBe('2026-05-06')
  })

  test('a checkout that the gateway refuses shows its code', async () => {
    shop().answer = () => result('800.900.300')
    await shop().fillCart()
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const response = await shop().send('POST', '/pay')
    written.mockRestore()
    expect([response.status, response.body.includes('800.900.300')]).toEqual([502, true])
  })

  test('a request without an answer is repeated with the same key', async () => {
    let times = 0
    shop().answer = () => ((times += 1) === 1 ? undefined : created())
    expect(await shop().startCheckout()).toMatch(/^\/pay\/order-/)
    expect(shop().received.map(({ key }) => key)).toEqual([shop().received[0]?.key, shop().received[0]?.key])
  })

  test('a missing answer of the gateway is not shown as a decline', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    shop().answer = () => undefined
    await shop().fillCart()
    const response = await shop().send('POST', '/pay')
    written.mockRestore()
    expect([response.status, shop().received.length]).toEqual([502, 2])
    expect(response.body).toContain('please do not pay again')
  })

  test('an empty cart is not paid', async () => {
    const paths = ['/pay', '/redirect', '/card-form']
    const answers = await Promise.all(paths.map((path) => shop().send('POST', path, { brand: 'IDEAL' })))
    expect([answers.map(locationOf), shop().received]).toEqual([['/cart', '/cart', '/cart'], []])
  })
})
