import { describe, expect, test, vi } from 'vitest'
import { customerData } from './customer-data.ts'
import {
  CHECKOUT,
  CHECKOUT_PATH,
  ENTITY,
  PAYMENT,
  REGISTRATION,
  SCHEDULE,
  SHOP_URL,
  type Answer,
  codes,
  createdCheckout,
  locationOf,
  result,
  testShop,
} from './testing/test-shop.ts'

const shop = testShop()
const OTHER_CHECKOUT = CHECKOUT.replace('A', 'B')

test('a stored card is offered for one-click payment, and only its owner can delete it', async () => {
  await shop().startCheckout({ with: 'cards', store: 'true' })
  shop().answer = shop().paidOrder({
    registrationId: REGISTRATION,
    paymentBrand: 'VISA',
    card: { last4Digits: '1111' },
  })
  await shop().openResult(CHECKOUT_PATH)
  shop().answer = () => createdCheckout(OTHER_CHECKOUT)
  await shop().startCheckout()
  expect(shop().lastForm['registrations[0].id']).toBe(REGISTRATION)
  const owner = shop().cookie
  shop().cookie = ''
  await shop().send('POST', `/cards/${REGISTRATION}/delete`)
  expect(shop().received.at(-1)?.method).toBe('POST')
  shop().cookie = owner
  await shop().send('POST', `/cards/${REGISTRATION}/delete`)
  expect(shop().received.at(-1)).toMatchObject({
    method: 'DELETE',
    path: `/v1/registrations/${REGISTRATION}?entityId=${ENTITY}`,
  })
  expect((await shop().get('/cards')).body).not.toContain('1111')
})

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

describe('a payment with the card form of the shop', () => {
  const card = {
    'card.number': '4111 1111 1111 1111',
    'card.holder': ' Jane Jones ',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    'card.cvv': '123',
  }

  test('sends the card to the gateway, and shows the result of an approved payment at once', async () => {
    await shop().fillCart()
    expect((await shop().get('/card-form')).body).toContain('PCI DSS')
    shop().answer = (request) => ({ ...request.form, id: PAYMENT, ...result(codes.approved) })
    const response = await shop().post('/card-form', { ...card, amount: '0.01' })
    expect(shop().lastForm).toMatchObject({
      'card.number': '4111111111111111',
      'card.holder': 'Jane Jones',
      amount: '25.00',
    })
    expect(Object.keys(shop().lastForm).filter((name) => name.startsWith('customer.browser'))).toEqual([])
    const page = await shop().get(locationOf(response))
    expect(page.body).toContain('Thank you!')
    expect(shop().received).toHaveLength(1)
    expect(page.body).not.toContain('4111')
  })

  test('sends browser data for 3-D Secure if scripts run', async () => {
    await shop().fillCart()
    const browserData = {
      language: 'de-DE',
      screenHeight: '900',
      screenWidth: '1440',
      screenColorDepth: '24',
      timezone: '-60',
    }
    const browser = Object.fromEntries(
      Object.entries(browserData).map(([name, value]) => [`customer.browser.${name}`, value]),
    )
    shop().answer = (request) => ({ ...request.form, id: PAYMENT, ...result(codes.declined) })
    await shop().send('POST', '/card-form', { ...card, ...browser }, { 'user-agent': 'Browser/1', accept: 'text/html' })
    expect(shop().lastForm).toMatchObject({
      ...browser,
      'customer.browser.userAgent': 'Browser/1',
      'customer.browser.acceptHeader': 'text/html',
      'customer.browser.javaEnabled': 'false',
    })
  })

  test('shows and logs the names of invalid parameters, and never shows the card', async () => {
    await shop().fillCart()
    const parameterErrors = [{ name: 'card.holder', message: 'must have 3 to 128 characters' }]
    shop().answer = () => ({ id: PAYMENT, result: { ...result('200.300.404').result, parameterErrors } })
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const { status, body } = await shop().post('/card-form', card)
    const log = String(stderr.mock.calls)
    stderr.mockRestore()
    expect([status, body.includes('4111'), body.includes('must have')]).toEqual([502, false, false])
    expect(body).toContain('200.300.404, card.holder')
    expect(log).toContain('card.holder must have 3 to 128 characters')
  })
})

describe('a stored card', () => {
  async function storeCard(): Promise<void> {
    shop().answer = () => createdCheckout()
    await shop().send('POST', '/cards')
    shop().answer = () => ({
      id: REGISTRATION,
      paymentBrand: 'VISA',
      card: { last4Digits: '0042' },
      ...result(codes.approved),
    })
    expect((await shop().openResult(`/v1/checkouts/${CHECKOUT}/registration`)).body).toContain('Card saved')
  }

  test('is stored by a checkout without a payment', async () => {
    await storeCard()
    expect(shop().received[0]?.form).toEqual({
      entityId: ENTITY,
      createRegistration: 'true',
      shopperResultUrl: `${SHOP_URL}/result`,
      ...customerData,
      integrity: 'true',
    })
    expect((await shop().get('/cards')).body).toContain('···· 0042')
  })

  test('pays the first month of a subscription, and later months by a schedule until it is cancelled', async () => {
    expect((await shop().get('/subscription')).body).toContain('Add a card first')
    await storeCard()
    expect((await shop().get('/subscription')).body).toContain(
      `<option value="${REGISTRATION}">VISA ···· 0042</option>`,
    )
    shop().answer = ({ path, form }) =>
      path.startsWith('/v1/registrations/')
        ? {
            id: PAYMENT,
            ...result(codes.pending),
            redirect: { url: 'https://acs.example/', method: 'GET', parameters: [] },
          }
        : { ...form, id: SCHEDULE, ...result(codes.approved) }
    const response = await shop().post('/subscription', { card: REGISTRATION })
    expect(locationOf(response)).toBe('https://acs.example/')
    const payment = shop().received.at(-1)
    expect(payment?.path).toBe(`/v1/registrations/${REGISTRATION}/payments`)
    expect(payment?.form).toMatchObject({
      'standingInstruction.type': 'RECURRING',
      'standingInstruction.mode': 'INITIAL',
    })
    const previousAnswer = shop().answer
    shop().answer = (request) =>
      request.method === 'GET' ? { ...payment?.form, id: PAYMENT, ...result(codes.approved) } : previousAnswer(request)
    const pages = await Promise.all([
      shop().openResult(`/v1/payments/${PAYMENT}`),
      shop().openResult(`/v1/payments/${PAYMENT}`),
    ])
    expect(pages.some(({ body }) => body.includes('Welcome!'))).toBe(true)
    await shop().openResult(`/v1/payments/${PAYMENT}`)
    const schedules = shop().received.filter(({ path }) => path === '/scheduling/v1/schedules')
    expect(schedules.map(({ form }) => form)).toEqual([
      {
        entityId: ENTITY,
        registrationId: REGISTRATION,
        paymentType: 'DB',
        amount: '19.00',
        currency: 'EUR',
        'job.name': 'Tea every month',
        'job.dayOfMonth': '1',
        'job.month': '*',
        'job.hour': '9',
      },
    ])
    expect((await shop().get('/subscription')).body).toContain('Running')
    await shop().send('POST', `/subscription/${SCHEDULE}/cancel`)
    expect(shop().received.at(-1)).toMatchObject({
      method: 'DELETE',
      path: `/scheduling/v1/schedules/${SCHEDULE}?entityId=${ENTITY}`,
    })
    expect((await shop().get('/subscription')).body).not.toContain('Running')
  })

  test('of another customer starts no subscription', async () => {
    await storeCard()
    const requestCount = shop().received.length
    shop().cookie = ''
    expect(locationOf(await shop().post('/subscription', { card: REGISTRATION }))).toBe('/subscription')
    expect(shop().received).toHaveLength(requestCount)
  })
})
