import { describe, expect, test, vi } from 'vitest'
import { customerData } from './customer-data.ts'
import {
  CHECKOUT,
  CHECKOUT_PATH,
  ENTITY,
  PAYMENT,
  REGISTRATION,
  SCHEDULE,
  URL_OF_SHOP,
  type Answer,
  codes,
  created,
  locationOf,
  result,
  testShop,
} from './testing/test-shop.ts'

const shop = testShop()
const OTHER_CHECKOUT = CHECKOUT.replace('A', 'B')

test('a stored card is offered for one-click payment, and only its owner can delete it', async () => {
  await shop().startCheckout({ with: 'cards', store: 'true' })
  shop().answer = shop().paid({ registrationId: REGISTRATION, paymentBrand: 'VISA', card: { last4Digits: '1111' } })
  await shop().result(CHECKOUT_PATH)
  shop().answer = () => created(OTHER_CHECKOUT)
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

describe('by redirect', () => {
  const redirect = { url: 'https://bank.example/pay?bank=1', parameters: [{ name: 'token', value: '"a&b' }] }
  const pending =
    (more: object): Answer =>
    () => ({ id: PAYMENT, ...result(codes.pending), redirect: { ...redirect, ...more } })

  test('GET has the parameters in the query', async () => {
    await shop().fillCart()
    shop().answer = pending({ method: 'GET' })
    const response = await shop().post('/redirect', { brand: 'IDEAL' })
    expect([response.status, locationOf(response)]).toEqual([303, 'https://bank.example/pay?bank=1&token=%22a%26b'])
    expect(shop().received[0]?.form).toMatchObject({
      paymentBrand: 'IDEAL',
      amount: '25.00',
      shopperResultUrl: `${URL_OF_SHOP}/result`,
    })
  })

  test('POST has a form that submits itself, or is submitted by its button', async () => {
    await shop().fillCart()
    shop().answer = pending({})
    const { body, headers } = await shop().post('/redirect', { brand: 'PAYPAL' })
    expect(body).toContain('method="post" action="https://bank.example/pay?bank=1"')
    expect(body).toContain('<input type="hidden" name="token" value="&quot;a&amp;b">')
    const nonce = /<script nonce="([^"]+)">/.exec(body)?.[1]
    expect(headers['content-security-policy']).toContain(`script-src 'nonce-${nonce}'`)
  })

  test('the status is queried when the shopper returns', async () => {
    await shop().fillCart()
    shop().answer = pending({ method: 'GET' })
    await shop().post('/redirect', { brand: 'IDEAL' })
    shop().answer = shop().paid()
    expect((await shop().result(`/v1/payments/${PAYMENT}`)).body).toContain('Thank you!')
  })

  test('a brand that is not offered is not sent', async () => {
    await shop().fillCart()
    expect(locationOf(await shop().post('/redirect', { brand: 'VISA' }))).toBe('/cart')
    expect(shop().received).toEqual([])
  })
})

describe('with a card form of its own', () => {
  const card = {
    'card.number': '4111 1111 1111 1111',
    'card.holder': ' Jane Jones ',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    'card.cvv': '123',
  }

  test('the card is sent to the gateway, and an approved payment leads to its result at once', async () => {
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

  test('browser data for 3-D Secure are sent if scripts run', async () => {
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

  test('wrong parameters are named without the card', async () => {
    await shop().fillCart()
    const parameterErrors = [{ name: 'card.holder', message: 'must have 3 to 128 characters' }]
    shop().answer = () => ({ id: PAYMENT, result: { ...result('200.300.404').result, parameterErrors } })
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const { status, body } = await shop().post('/card-form', card)
    const log = String(written.mock.calls)
    written.mockRestore()
    expect([status, body.includes('4111'), body.includes('must have')]).toEqual([502, false, false])
    expect(body).toContain('200.300.404, card.holder')
    expect(log).toContain('card.holder must have 3 to 128 characters')
  })
})

describe('without a cart', () => {
  async function storeCard(): Promise<void> {
    shop().answer = () => created()
    await shop().send('POST', '/cards')
    shop().answer = () => ({
      id: REGISTRATION,
      paymentBrand: 'VISA',
      card: { last4Digits: '0042' },
      ...result(codes.approved),
    })
    expect((await shop().result(`/v1/checkouts/${CHECKOUT}/registration`)).body).toContain('Card kept')
  }

  test('a card is stored by a checkout without a payment', async () => {
    await storeCard()
    expect(shop().received[0]?.form).toEqual({
      entityId: ENTITY,
      createRegistration: 'true',
      shopperResultUrl: `${URL_OF_SHOP}/result`,
      ...customerData,
      integrity: 'true',
    })
    expect((await shop().get('/cards')).body).toContain('···· 0042')
  })

  test('a subscription pays its first month, schedules the others once, and can be cancelled', async () => {
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
    const redirected = await shop().post('/subscription', { card: REGISTRATION })
    expect(locationOf(redirected)).toBe('https://acs.example/')
    const payment = shop().received.at(-1)
    expect(payment?.path).toBe(`/v1/registrations/${REGISTRATION}/payments`)
    expect(payment?.form).toMatchObject({
      'standingInstruction.type': 'RECURRING',
      'standingInstruction.mode': 'INITIAL',
    })
    const answerBefore = shop().answer
    shop().answer = (request) =>
      request.method === 'GET' ? { ...payment?.form, id: PAYMENT, ...result(codes.approved) } : answerBefore(request)
    const pages = await Promise.all([
      shop().result(`/v1/payments/${PAYMENT}`),
      shop().result(`/v1/payments/${PAYMENT}`),
    ])
    expect(pages.some(({ body }) => body.includes('Welcome!'))).toBe(true)
    await shop().result(`/v1/payments/${PAYMENT}`)
    const plans = shop().received.filter(({ path }) => path === '/scheduling/v1/schedules')
    expect(plans.map(({ form }) => form)).toEqual([
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

  test('a card of another customer starts no subscription', async () => {
    await storeCard()
    const before = shop().received.length
    shop().cookie = ''
    expect(locationOf(await shop().post('/subscription', { card: REGISTRATION }))).toBe('/subscription')
    expect(shop().received).toHaveLength(before)
  })
})
