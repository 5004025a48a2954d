import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Handle, SimulatorResponse } from '../http/exchange.ts'
import { portOf } from '../http/host.ts'
import { withQuery } from '../http/with-query.ts'
import { limits } from '../limits.ts'
import { customer } from './customer.ts'
import { createGateway } from './gateway.ts'
import { createShop } from './shop.ts'

const URL_OF_SHOP = 'https://shop.example'
const TOKEN = 'the-token-of-the-merchant'
const ENTITY = '70119a7e5eed00000000000000000c00'
const CHECKOUT = '8AC7A4A0853F4D1B9C2E6F7A1B3C5D7E.uat01-vm-tx03'
const PAYMENT = '8ac7a4a0853f4d1b9c2e6f7a1b3c5d7e'
const REGISTRATION = '8ac7a4a0853f4d1b9c2e6f7a1b3c5d80'
const PLAN = '8ac7a4a0853f4d1b9c2e6f7a1b3c5d81'
const INTEGRITY = `sha384-${'A'.repeat(64)}`
const CHECKOUT_PATH = `/v1/checkouts/${CHECKOUT}/payment`

interface Received {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  readonly key: string | undefined
  readonly form: Readonly<Record<string, string>>
}

/** What the gateway answers; undefined hangs up. */
type Answer = (request: Received) => object | undefined

const codes = { created: '000.200.100', pending: '000.200.000', approved: '000.100.110', declined: '800.100.155' }
const result = (code: string) => ({ result: { code, description: `description of ${code}` } })

let received: Received[] = []
let answer: Answer = () => ({})
let nowMs = 0
let drawn = 0
let shop: Handle
let cookie = ''
let gatewayUrl = ''

const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    const { method = '', url = '', headers } = request
    const key = headers['idempotency-key']
    const form = Object.fromEntries(new URLSearchParams(body))
    const one = { method, path: url, authorization: headers.authorization, key: key?.toString(), form }
    received.push(one)
    const answered = answer(one)
    if (answered) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answered))
    else response.destroy()
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  gatewayUrl = `http://127.0.0.1:${port}`
})

afterAll(() => {
  server.close()
  server.closeAllConnections()
})

beforeEach(() => {
  received = []
  nowMs = Date.UTC(2026, 4, 6)
  drawn = 0
  cookie = ''
  answer = () => ({ id: CHECKOUT, integrity: INTEGRITY, ...result(codes.created) })
  shop = createShop({
    url: URL_OF_SHOP,
    gatewayUrl: 'https://gateway.example',
    gateway: createGateway({ url: gatewayUrl, entityId: ENTITY, token: TOKEN }),
    clock: { now: () => nowMs },
    random: (bytes) => new Uint8Array(bytes).fill((drawn += 1)),
  })
})

async function ask(method: string, path: string, form: Readonly<Record<string, string>> = {}, headers = {}) {
  const body = Buffer.from(new URLSearchParams(form).toString())
  const [pathname = '', query = ''] = path.split('?')
  const response = await shop({ method, path: pathname, query, headers: { cookie, ...headers }, body })
  cookie = response.headers['set-cookie']?.split(';')[0] ?? cookie
  return { status: response.status, headers: response.headers, body: String(response.body) }
}

const get = (path: string) => ask('GET', path)
const locationOf = ({ headers }: SimulatorResponse): string => headers['location'] ?? ''
const resultOf = (resourcePath: string) => get(withQuery('/result', new URLSearchParams({ id: 'x', resourcePath })))
const fill = () => ask('POST', '/cart', { product: 'sencha', quantity: '2' })
const lastForm = () => received.at(-1)?.form ?? {}

/** A payment of the order that was asked for last, as the gateway tells of it. */
const paid = (changes: object = {}): Answer => {
  const { merchantTransactionId, amount, currency } = lastForm()
  return () => ({ id: PAYMENT, merchantTransactionId, amount, currency, ...result(codes.approved), ...changes })
}

async function startCheckout(form: Readonly<Record<string, string>> = { with: 'cards' }): Promise<string> {
  await fill()
  return locationOf(await ask('POST', '/pay', form))
}

describe('the store', () => {
  test('shows every product, and puts them into the cart of one visitor', async () => {
    expect((await get('/')).body.match(/class="card product"/g)).toHaveLength(6)
    await ask('POST', '/cart', { product: 'kettle', more: '1' })
    await ask('POST', '/cart', { product: 'kettle', more: '1' })
    expect((await get('/cart')).body).toContain('€128.00')
    cookie = ''
    expect((await get('/cart')).body).toContain('There is nothing in it yet.')
  })

  test.each([
    ['1000', '€1,237.50'],
    ['-1', 'nothing in it'],
    ['0', 'nothing in it'],
    ['x', 'nothing in it'],
    ['2.9', '€25.00'],
    ['1e400', '€1,237.50'],
  ])('a quantity of %s', async (quantity, shown) => {
    await ask('POST', '/cart', { product: 'sencha', quantity })
    expect((await get('/cart')).body).toContain(shown)
  })

  test('a product that there is not changes nothing', async () => {
    await ask('POST', '/cart', { product: 'constructor', quantity: '1' })
    expect((await get('/cart')).body).toContain('nothing in it')
  })

  test.each([
    ['/?lang=de', 'In den Warenkorb', '<html lang="de" dir="ltr">'],
    ['/?lang=ar', 'أضف إلى السلة', '<html lang="ar" dir="rtl">'],
    ['/?lang=xx', 'Add to cart', '<html lang="en" dir="ltr">'],
  ])('%s speaks a language, and goes on speaking it', async (path, text, tag) => {
    expect((await get(path)).body).toContain(text)
    expect((await get('/')).body).toContain(tag)
  })

  test('a form of another site is refused', async () => {
    const response = await ask('POST', '/cart', { product: 'kettle', more: '1' }, { origin: 'https://other.example' })
    expect(response.status).toBe(403)
    expect((await get('/cart')).body).toContain('nothing in it')
  })

  test('under another name it sends browsers to its own', async () => {
    const response = await ask('GET', '/cart?lang=de', {}, { host: 'localhost:8082' })
    expect([response.status, locationOf(response)]).toEqual([303, `${URL_OF_SHOP}/cart?lang=de`])
    expect((await ask('GET', '/cart', {}, { host: 'shop.example' })).status).toBe(200)
  })

  test('the cookie is for the server alone, and for TLS', async () => {
    expect((await get('/')).headers['set-cookie']).toMatch(
      /^tollgate-shop=[0-9a-f]{32}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  test('there is nothing elsewhere', async () => {
    expect((await get('/nowhere')).status).toBe(404)
  })
})

describe('with the widget', () => {
  test('the amount is the shop’s, whatever the browser says', async () => {
    await startCheckout({ with: 'cards', amount: '0.01', merchantTransactionId: 'mine' })
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({ method: 'POST', path: '/v1/checkouts', authorization: `Bearer ${TOKEN}` })
    expect(lastForm()).toEqual({
      entityId: ENTITY,
      paymentType: 'DB',
      amount: '25.00',
      currency: 'EUR',
      merchantTransactionId: received[0]?.key,
      shopperResultUrl: `${URL_OF_SHOP}/result`,
      ...customer,
      integrity: 'true',
      'cart.items[0].merchantItemId': 'sencha',
      'cart.items[0].name': 'Sencha',
      'cart.items[0].quantity': '2',
      'cart.items[0].price': '12.50',
      'cart.items[0].totalAmount': '25.00',
    })
  })

  test('the page holds the script with its digest, the form, and the policy that the contract asks for', async () => {
    const { body, headers } = await get(await startCheckout())
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

  test('only the one who ordered sees the page', async () => {
    const page = await startCheckout()
    cookie = ''
    expect((await get(page)).status).toBe(404)
  })

  test('a direct debit has a mandate', async () => {
    const { body } = await get(await startCheckout({ with: 'debit' }))
    expect(body).toContain('data-brands="DIRECTDEBIT_SEPA"')
    expect(lastForm()['bankAccount.mandate.id']).toMatch(/^order-[a-p]{24}$/)
    expect(lastForm()['bankAccount.mandate.dateOfSignature']).toBe('2026-05-06')
  })

  test('a checkout that the gateway refuses says why', async () => {
    answer = () => result('800.900.300')
    await fill()
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const response = await ask('POST', '/pay')
    written.mockRestore()
    expect([response.status, response.body.includes('800.900.300')]).toEqual([502, true])
  })

  test('what got no answer is sent once more with the same key', async () => {
    let times = 0
    answer = () => ((times += 1) === 1 ? undefined : { id: CHECKOUT, integrity: INTEGRITY, ...result(codes.created) })
    expect(await startCheckout()).toMatch(/^\/pay\/order-/)
    expect(received.map(({ key }) => key)).toEqual([received[0]?.key, received[0]?.key])
  })

  test('a gateway that does not answer at all is no decline', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    answer = () => undefined
    await fill()
    const response = await ask('POST', '/pay')
    written.mockRestore()
    expect([response.status, received.length]).toEqual([502, 2])
    expect(response.body).toContain('please do not pay again')
  })

  test('an empty cart is not paid', async () => {
    const ways = ['/pay', '/redirect', '/card-form']
    const answers = await Promise.all(ways.map((way) => ask('POST', way, { brand: 'IDEAL' })))
    expect([answers.map(locationOf), received]).toEqual([['/cart', '/cart', '/cart'], []])
  })
})

describe('the result', () => {
  test.each([
    ['000.000.000', 'Thank you!', 'packed'],
    ['000.100.110', 'Thank you!', 'packed'],
    ['000.400.000', 'Thank you!', 'short look'],
    ['000.200.000', 'Not confirmed yet', 'do not pay again'],
    ['800.400.500', 'Not confirmed yet', 'do not pay again'],
    ['800.120.100', 'Not confirmed yet', 'do not pay again'],
    ['800.100.155', 'That did not work', 'Nothing was taken'],
    ['000.400.030', 'That did not work', 'Nothing was taken'],
    ['100.396.101', 'Payment cancelled', 'You cancelled the payment'],
    ['100.397.101', 'Payment cancelled', 'You cancelled the payment'],
    ['100.396.103', 'That did not work', 'The payment was declined'],
  ])('of code %s', async (code, title, text) => {
    await startCheckout()
    answer = paid(result(code))
    const { body } = await resultOf(CHECKOUT_PATH)
    expect(received.at(-1)).toMatchObject({ method: 'GET', path: `${CHECKOUT_PATH}?entityId=${ENTITY}` })
    expect(body).toContain(`<h1>${title}</h1>`)
    expect(body).toContain(text)
  })

  test('of a checkout that nobody has paid leads back to it', async () => {
    const page = await startCheckout()
    answer = () => ({ id: CHECKOUT, ...result(codes.pending) })
    const { body } = await resultOf(CHECKOUT_PATH)
    expect(body).toContain('Not paid yet')
    expect(body).toContain(`href="${page}"`)
    expect(body).not.toContain('do not pay again')
  })

  test('is read twice a minute at most, and not at all once it is approved', async () => {
    await startCheckout()
    answer = paid(result(codes.pending))
    for (let second = 0; second < 60; second += 5) {
      expect((await resultOf(CHECKOUT_PATH)).headers['refresh']).toBe('15')
      nowMs += 5_000
    }
    expect(received.filter(({ method }) => method === 'GET')).toHaveLength(2)
    nowMs += limits.statusReadEveryMs
    const [first] = received
    answer = () => ({ ...first?.form, id: PAYMENT, ...result(codes.approved) })
    expect((await resultOf(CHECKOUT_PATH)).body).toContain('Thank you!')
    nowMs += limits.statusReadEveryMs
    expect((await resultOf(CHECKOUT_PATH)).headers['refresh']).toBeUndefined()
    expect(received.filter(({ method }) => method === 'GET')).toHaveLength(3)
  })

  test.each([
    ['another amount', { amount: '0.01' }],
    ['another currency', { currency: 'JPY' }],
  ])('approved over %s is looked at before anything is sent', async (_, changes) => {
    await startCheckout()
    answer = paid(changes)
    expect((await resultOf(CHECKOUT_PATH)).body).toContain('short look')
  })

  test('of another order proves nothing', async () => {
    await startCheckout()
    answer = paid({ merchantTransactionId: 'order-of-somebody' })
    expect((await resultOf(CHECKOUT_PATH)).body).toContain('Not confirmed yet')
  })

  test.each([
    '/v1/checkouts/UNKNOWN000000000000000000000000000.x/payment',
    'https://evil.example/v1/payments/8ac7a4a0853f4d1b9c2e6f7a1b3c5d7e',
    '//evil.example/v1/payments/8ac7a4a0853f4d1b9c2e6f7a1b3c5d7e',
    `/v1/payments/${PAYMENT}/../../query`,
    `/v1/payments/${PAYMENT}?x`,
    '/v1/query',
    '',
  ])('is not asked for at %j', async (path) => {
    const response = await resultOf(path)
    expect([response.status, received]).toEqual([404, []])
  })

  test('comes without a browser too: the gateway calls, and the payment is noted once', async () => {
    await startCheckout({ with: 'cards', store: 'true' })
    expect(lastForm()).toMatchObject({ createRegistration: 'true', 'standingInstruction.mode': 'INITIAL' })
    const shopper = cookie
    cookie = ''
    answer = paid({ registrationId: REGISTRATION, paymentBrand: 'VISA', card: { last4Digits: '1111' } })
    const called = await resultOf(CHECKOUT_PATH)
    expect(called.body).toContain('another browser')
    expect(called.body).not.toContain('Sencha')
    cookie = shopper
    expect((await resultOf(CHECKOUT_PATH)).body).toContain('Thank you!')
    expect(received.filter(({ method }) => method === 'GET')).toHaveLength(1)
    expect((await get('/cards')).body).toContain('···· 1111')
    expect((await get('/cart')).body).toContain('nothing in it')
  })

  test('that came after the checkout had expired is told by the payment’s own path', async () => {
    await startCheckout()
    answer = paid()
    expect((await resultOf(`/v1/payments/${PAYMENT}`)).body).toContain('Thank you!')
  })

  test('leaves in the cart what another tab has put there, and what it has ordered', async () => {
    const first = await startCheckout()
    const approvedFirst = paid()
    await ask('POST', '/cart', { product: 'sencha', more: '1' })
    await ask('POST', '/cart', { product: 'kettle', more: '1' })
    const second = { id: CHECKOUT.replace('A', 'B'), integrity: INTEGRITY, ...result(codes.created) }
    answer = () => second
    expect(locationOf(await ask('POST', '/pay'))).not.toBe(first)
    const approvedSecond = paid()
    answer = approvedFirst
    expect((await resultOf(CHECKOUT_PATH)).body).toContain('Thank you!')
    // One Sencha and a kettle.
    expect((await get('/cart')).body).toContain('€76.50')
    await ask('POST', '/cart', { product: 'sencha', quantity: '4' })
    answer = approvedSecond
    expect((await resultOf(`/v1/checkouts/${second.id}/payment`)).body).toContain('Thank you!')
    expect((await get('/cart')).body).toContain('€12.50')
  })

  test.each([
    ['de', 'Code des Zahlungsdienstes', 'Sie haben die Zahlung abgebrochen'],
    ['ar', 'رمز خدمة الدفع', 'لقد ألغيت الدفعة'],
  ])('in %s says nothing in English', async (language, label, text) => {
    await get(`/?lang=${language}`)
    await startCheckout()
    answer = paid(result('100.396.101'))
    const { body } = await resultOf(CHECKOUT_PATH)
    expect(body).toContain(`${label}: <bdi>100.396.101</bdi>`)
    expect(body).toContain(text)
    expect(body).not.toContain('description of')
  })

  test('a decline leaves the cart, and the next try may still be approved', async () => {
    await startCheckout()
    const approved = paid()
    answer = paid(result(codes.declined))
    expect((await resultOf(CHECKOUT_PATH)).body).toContain('href="/cart">Try again')
    expect((await get('/cart')).body).toContain('€25.00')
    nowMs += limits.statusReadEveryMs
    answer = approved
    expect((await resultOf(CHECKOUT_PATH)).body).toContain('Thank you!')
  })
})

test('a stored card is offered for one click, and forgotten when its owner says so', async () => {
  await startCheckout({ with: 'cards', store: 'true' })
  answer = paid({ registrationId: REGISTRATION, paymentBrand: 'VISA', card: { last4Digits: '1111' } })
  await resultOf(CHECKOUT_PATH)
  answer = () => ({ id: CHECKOUT.replace('A', 'B'), integrity: INTEGRITY, ...result(codes.created) })
  await startCheckout()
  expect(lastForm()['registrations[0].id']).toBe(REGISTRATION)
  const owner = cookie
  cookie = ''
  await ask('POST', `/cards/${REGISTRATION}/forget`)
  expect(received.at(-1)?.method).toBe('POST')
  cookie = owner
  await ask('POST', `/cards/${REGISTRATION}/forget`)
  expect(received.at(-1)).toMatchObject({
    method: 'DELETE',
    path: `/v1/registrations/${REGISTRATION}?entityId=${ENTITY}`,
  })
  expect((await get('/cards')).body).not.toContain('1111')
})

describe('by redirect', () => {
  const redirect = { url: 'https://bank.example/pay?bank=1', parameters: [{ name: 'token', value: '"a&b' }] }
  const pending =
    (more: object): Answer =>
    () => ({ id: PAYMENT, ...result(codes.pending), redirect: { ...redirect, ...more } })

  test('by GET the parameters are in the query', async () => {
    await fill()
    answer = pending({ method: 'GET' })
    const response = await ask('POST', '/redirect', { brand: 'IDEAL' })
    expect([response.status, locationOf(response)]).toEqual([303, 'https://bank.example/pay?bank=1&token=%22a%26b'])
    expect(received[0]?.form).toMatchObject({
      paymentBrand: 'IDEAL',
      amount: '25.00',
      shopperResultUrl: `${URL_OF_SHOP}/result`,
    })
  })

  test('by POST a form sends itself, or waits for the button', async () => {
    await fill()
    answer = pending({})
    const { body, headers } = await ask('POST', '/redirect', { brand: 'PAYPAL' })
    expect(body).toContain('method="post" action="https://bank.example/pay?bank=1"')
    expect(body).toContain('<input type="hidden" name="token" value="&quot;a&amp;b">')
    const nonce = /<script nonce="([^"]+)">/.exec(body)?.[1]
    expect(headers['content-security-policy']).toContain(`script-src 'nonce-${nonce}'`)
  })

  test('the shopper comes back, and the gateway is asked', async () => {
    await fill()
    answer = pending({ method: 'GET' })
    await ask('POST', '/redirect', { brand: 'IDEAL' })
    answer = paid()
    expect((await resultOf(`/v1/payments/${PAYMENT}`)).body).toContain('Thank you!')
  })

  test('a brand that is not offered is not sent', async () => {
    await fill()
    expect(locationOf(await ask('POST', '/redirect', { brand: 'VISA' }))).toBe('/cart')
    expect(received).toEqual([])
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

  test('the card is passed on, an approved payment goes straight to its result', async () => {
    await fill()
    expect((await get('/card-form')).body).toContain('PCI DSS')
    answer = (request) => ({ ...request.form, id: PAYMENT, ...result(codes.approved) })
    const response = await ask('POST', '/card-form', { ...card, amount: '0.01' })
    expect(lastForm()).toMatchObject({
      'card.number': '4111111111111111',
      'card.holder': 'Jane Jones',
      amount: '25.00',
    })
    expect(Object.keys(lastForm()).filter((name) => name.startsWith('customer.browser'))).toEqual([])
    const page = await get(locationOf(response))
    expect(page.body).toContain('Thank you!')
    expect(received).toHaveLength(1)
    expect(page.body).not.toContain('4111')
  })

  test('with scripts the browser is described, for 3-D Secure', async () => {
    await fill()
    const known = {
      language: 'de-DE',
      screenHeight: '900',
      screenWidth: '1440',
      screenColorDepth: '24',
      timezone: '-60',
    }
    const browser = Object.fromEntries(
      Object.entries(known).map(([name, value]) => [`customer.browser.${name}`, value]),
    )
    answer = (request) => ({ ...request.form, id: PAYMENT, ...result(codes.declined) })
    await ask('POST', '/card-form', { ...card, ...browser }, { 'user-agent': 'Browser/1', accept: 'text/html' })
    expect(lastForm()).toMatchObject({
      ...browser,
      'customer.browser.userAgent': 'Browser/1',
      'customer.browser.acceptHeader': 'text/html',
      'customer.browser.javaEnabled': 'false',
    })
  })

  test('what the gateway finds wrong is said without the card', async () => {
    await fill()
    const parameterErrors = [{ name: 'card.holder', message: 'must have 3 to 128 characters' }]
    answer = () => ({ id: PAYMENT, result: { ...result('200.300.404').result, parameterErrors } })
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const { status, body } = await ask('POST', '/card-form', card)
    const log = String(written.mock.calls)
    written.mockRestore()
    expect([status, body.includes('4111'), body.includes('must have')]).toEqual([502, false, false])
    expect(body).toContain('200.300.404, card.holder')
    expect(log).toContain('card.holder must have 3 to 128 characters')
  })
})

describe('without a cart', () => {
  async function keepCard(): Promise<void> {
    answer = () => ({ id: CHECKOUT, integrity: INTEGRITY, ...result(codes.created) })
    await ask('POST', '/cards')
    answer = () => ({
      id: REGISTRATION,
      paymentBrand: 'VISA',
      card: { last4Digits: '0042' },
      ...result(codes.approved),
    })
    expect((await resultOf(`/v1/checkouts/${CHECKOUT}/registration`)).body).toContain('Card kept')
  }

  test('a card is stored by a checkout that pays nothing', async () => {
    await keepCard()
    expect(received[0]?.form).toEqual({
      entityId: ENTITY,
      createRegistration: 'true',
      shopperResultUrl: `${URL_OF_SHOP}/result`,
      ...customer,
      integrity: 'true',
    })
    expect((await get('/cards')).body).toContain('···· 0042')
  })

  test('a subscription pays its first month, plans the others once, and is stopped', async () => {
    expect((await get('/subscription')).body).toContain('Add a card first')
    await keepCard()
    expect((await get('/subscription')).body).toContain(`<option value="${REGISTRATION}">VISA ···· 0042</option>`)
    answer = ({ path, form }) =>
      path.startsWith('/v1/registrations/')
        ? {
            id: PAYMENT,
            ...result(codes.pending),
            redirect: { url: 'https://acs.example/', method: 'GET', parameters: [] },
          }
        : { ...form, id: PLAN, ...result(codes.approved) }
    const away = await ask('POST', '/subscription', { card: REGISTRATION })
    expect(locationOf(away)).toBe('https://acs.example/')
    const payment = received.at(-1)
    expect(payment?.path).toBe(`/v1/registrations/${REGISTRATION}/payments`)
    expect(payment?.form).toMatchObject({
      'standingInstruction.type': 'RECURRING',
      'standingInstruction.mode': 'INITIAL',
    })
    const planned = answer
    answer = (request) =>
      request.method === 'GET' ? { ...payment?.form, id: PAYMENT, ...result(codes.approved) } : planned(request)
    const pages = await Promise.all([resultOf(`/v1/payments/${PAYMENT}`), resultOf(`/v1/payments/${PAYMENT}`)])
    expect(pages.some(({ body }) => body.includes('Welcome!'))).toBe(true)
    await resultOf(`/v1/payments/${PAYMENT}`)
    const plans = received.filter(({ path }) => path === '/scheduling/v1/schedules')
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
    expect((await get('/subscription')).body).toContain('Running')
    await ask('POST', `/subscription/${PLAN}/cancel`)
    expect(received.at(-1)).toMatchObject({
      method: 'DELETE',
      path: `/scheduling/v1/schedules/${PLAN}?entityId=${ENTITY}`,
    })
    expect((await get('/subscription')).body).not.toContain('Running')
  })

  test('a card of somebody else starts nothing', async () => {
    await keepCard()
    const before = received.length
    cookie = ''
    expect(locationOf(await ask('POST', '/subscription', { card: REGISTRATION }))).toBe('/subscription')
    expect(received).toHaveLength(before)
  })
})

test('the oldest visitor is forgotten when there are too many', async () => {
  shop = createShop({
    url: URL_OF_SHOP,
    gatewayUrl,
    gateway: createGateway({ url: gatewayUrl, entityId: ENTITY, token: TOKEN }),
    clock: { now: () => nowMs },
    random: (bytes) => Buffer.from(String((drawn += 1)).padStart(bytes, '0')),
  })
  await fill()
  const first = cookie
  for (let count = 0; count < limits.visitorsMax; count += 1) {
    cookie = ''
    await ask('POST', '/cart')
  }
  cookie = first
  expect((await get('/cart')).body).toContain('nothing in it')
})
