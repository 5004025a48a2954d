import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandboxIds } from '@tollgate/operations'
import { testBank } from '../../testing/bank.ts'
import {
  cardWithoutPayment,
  FORM,
  formOf,
  type Parameters,
  type TestGateway,
  testGateway,
} from '../../testing/test-gateway.ts'

let tollgate: TestGateway

beforeAll(async () => (tollgate = await testGateway({ redirects: testBank().connector })))
afterAll(() => tollgate.close())

const get = (url: string) => tollgate.server.inject({ method: 'GET', url })

async function createCheckout(changes: Parameters = {}): Promise<string> {
  const prepared = { amount: '15.90', currency: 'EUR', paymentType: 'DB', shopperResultUrl: 'https://shop.example/' }
  const { body } = await tollgate.send('POST', '/v1/checkouts', { ...prepared, ...changes })
  return body.id
}

const pay = (id: string, parameters: Parameters) =>
  tollgate.request({
    method: 'POST',
    url: `/v1/checkouts/${id}/payment`,
    headers: { 'content-type': FORM },
    payload: formOf(parameters),
  })

const viewOf = async (id: string, locale = 'de') => (await get(`/pages/checkouts/${id}?locale=${locale}`)).json()

test('the form gets the view of its checkout, with texts in the language of the requested locale', async () => {
  const id = await createCheckout()
  const answer = await get(`/pages/checkouts/${id}?locale=de_AT`)
  expect(answer.headers['access-control-allow-origin']).toBe('*')
  expect(answer.json()).toMatchObject({
    state: 'open',
    purpose: 'payment',
    amount: '15.90',
    currency: 'EUR',
    environment: 'test',
    registrations: [],
    language: 'de',
    direction: 'ltr',
    brands: { VISA: { kind: 'card', flow: 'sync', name: 'Visa' }, PAYPAL: { flow: 'async' } },
    texts: { cardNumber: 'Kartennummer' },
  })
  expect([
    (await viewOf(id, 'ar')).direction,
    (await viewOf(id, 'da')).language,
    (await viewOf(id, 'xx')).language,
  ]).toEqual(['rtl', 'dk', 'en'])
})

test('the form gets only brands that support the operation of the checkout', async () => {
  const offeredBrands = async (changes: Parameters) => Object.keys((await viewOf(await createCheckout(changes))).brands)
  const sampleBrands = ['VISA', 'DIRECTDEBIT_SEPA', 'PAYPAL', 'IDEAL', 'KLARNA_PAYMENTS_PAYLATER', 'OXXO']
  const among = (codes: readonly string[]) => sampleBrands.filter((code) => codes.includes(code))
  expect(among(await offeredBrands({}))).toEqual(sampleBrands)
  const preauthorisationBrands = await offeredBrands({ paymentType: 'PA', 'overridePaymentType[IDEAL]': 'DB' })
  expect(among(preauthorisationBrands)).toEqual(['VISA', 'PAYPAL', 'IDEAL', 'KLARNA_PAYMENTS_PAYLATER'])
  expect(among(await offeredBrands({ createRegistration: 'true' }))).toEqual(['VISA', 'DIRECTDEBIT_SEPA', 'PAYPAL'])
  const withoutPayment = { amount: undefined, currency: undefined, paymentType: undefined }
  expect(among(await offeredBrands({ ...withoutPayment, createRegistration: 'true' }))).toEqual([
    'VISA',
    'DIRECTDEBIT_SEPA',
  ])
})

test('the form gets the status of the checkout, and the URL at which a pending redirect continues', async () => {
  const id = await createCheckout()
  const { body } = await pay(id, { paymentBrand: 'PAYPAL' })
  const pending = await viewOf(id)
  expect([pending.state, pending.redirect.url, pending.redirect.inFrame]).toEqual(['pending', body.redirect.url, false])
  const paid = await createCheckout()
  await pay(paid, cardWithoutPayment())
  expect((await viewOf(paid)).state).toBe('done')
  expect((await viewOf('0'.repeat(37))).state).toBe('gone')
  expect(
    (
      await viewOf(
        await createCheckout({
          createRegistration: 'true',
          amount: undefined,
          currency: undefined,
          paymentType: undefined,
        }),
      )
    ).purpose,
  ).toBe('registration')
})

test('the form gets the reason of the last decline, or a generic reason if shoppers may not see it', async () => {
  const id = await createCheckout()
  expect((await viewOf(id)).declined).toBe(undefined)
  await pay(id, cardWithoutPayment({ 'card.holder': '{800.100.153}' }))
  expect(await viewOf(id)).toMatchObject({ state: 'open', declined: 'cvv', cancellable: false })
  await pay(id, cardWithoutPayment({ 'card.holder': '{800.100.159}' }))
  expect(await viewOf(id)).toMatchObject({ state: 'open', declined: 'generic' })
  await pay(id, cardWithoutPayment())
  expect((await viewOf(id)).declined).toBe(undefined)
})

test('the form gets the creditor of a direct debit’s mandate from the settings of the channel', async () => {
  const changeSettings = (settings: object) =>
    tollgate.manage('PATCH', `/entities/${sandboxIds.mastercardChannel}`, { settings })
  const entityId = sandboxIds.mastercardChannel
  await changeSettings({ bankAccount: null })
  const { mandate: defaultMandate } = await viewOf(await createCheckout({ entityId }))
  await changeSettings({ bankAccount: { holder: 'Tea & Cake GmbH' } })
  const { mandate: mandateOfHolder } = await viewOf(await createCheckout({ entityId, 'bankAccount.mandate.id': 'M-A' }))
  expect(mandateOfHolder).toEqual({ creditor: 'Tea & Cake GmbH', reference: 'M-A' })
  expect((await changeSettings({ sepaCreditor: { name: 'Tea', id: 'DE97ZZZ09999999999' } })).status).toBe(400)
  expect((await changeSettings({ sepaCreditor: { name: 'Tea', id: 'DE98ZZZ09999999999' } })).status).toBe(200)
  const { mandate } = await viewOf(await createCheckout({ entityId }))
  expect(mandate).toEqual({ creditor: 'Tea', creditorId: 'DE98ZZZ09999999999' })
  await changeSettings({ sepaCreditor: null, bankAccount: null })
  expect([defaultMandate.creditorId, defaultMandate.reference]).toEqual([undefined, undefined])
})

test('the form gets only the masked data of stored accounts', async () => {
  const { body } = await tollgate.send('POST', '/v1/registrations', cardWithoutPayment())
  const { registrations } = await viewOf(await createCheckout({ 'registrations[0].id': body.id }))
  expect(registrations).toEqual([
    { id: body.id, brand: 'VISA', last4: '0000', holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' },
  ])
})

test('the form offers only the brands that the channel accepts', async () => {
  const id = await createCheckout({ entityId: sandboxIds.mastercardChannel })
  expect(Object.keys((await viewOf(id)).brands)).toEqual(['MASTER'])
})

test('the script matches the digest in the answer about a checkout', async () => {
  const { body } = await tollgate.send('POST', '/v1/checkouts', {
    amount: '1.00',
    currency: 'EUR',
    paymentType: 'DB',
    integrity: 'true',
  })
  const { createHash } = await import('node:crypto')
  const script = await get(`/v1/paymentWidgets.js?checkoutId=${body.id}`)
  expect(script.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'access-control-allow-origin': '*',
  })
  expect(body.integrity).toBe(`sha384-${createHash('sha384').update(script.rawPayload).digest('base64')}`)
})

test('a compressed answer has the same content', async () => {
  const url = '/pages/assets/form.js'
  const plain = await get(url)
  const headers = { 'accept-encoding': 'br, gzip' }
  const compressed = await tollgate.server.inject({ method: 'GET', url, headers })
  expect([plain.headers['content-encoding'], compressed.headers['content-encoding']]).toEqual([undefined, 'gzip'])
  expect([plain.headers['vary'], compressed.headers['vary']]).toEqual(['accept-encoding', 'accept-encoding'])
  expect(gunzipSync(compressed.rawPayload)).toEqual(plain.rawPayload)
  expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
})

test.each(['number', 'cvv'])('the frame of the %s runs only its own script', async (field) => {
  const { body, headers } = await get(`/pages/fields/${field}?checkoutId=x&lang=ar`)
  const nonce = /script-src 'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1]
  expect(body).toContain(`nonce="${nonce}"`)
  expect(body).toContain('dir="rtl"')
  expect(body).not.toMatch(/<script(?![^>]*integrity=)/)
  const [, script = ''] = /src="([^"]+)"/.exec(body) ?? []
  expect((await get(script)).statusCode).toBe(200)
})

test.each(['/pages/assets/nothing.js', '/pages/assets/../build-number.json', '/pages/assets/index.json'])(
  '%s is not served',
  async (url) => expect((await get(url)).statusCode).toBe(404),
)

test('the last of several values of a parameter is used', async () => {
  const id = await createCheckout()
  expect((await get(`/pages/checkouts/${id}?locale=fr&locale=&locale=de`)).json().language).toBe('de')
  for (const field of ['number', 'cvv']) {
    const { statusCode, body } = await get(`/pages/fields/${field}?lang=fr&lang=ar`)
    expect([statusCode, body.includes('dir="rtl"')]).toEqual([200, true])
  }
})

test.each([
  '/v1/paymentWidgets.js',
  '/pages/assets/form.js',
  '/pages/fields/number',
  '/pages/fields/cvv',
  '/pages/checkouts/:id',
  '/pages/authentications/:id',
  '/pages/return/:id',
])('%s has the same status with repeated and malformed parameters', async (path) => {
  const plain = await get(path)
  const names = ['lang', 'locale', 'checkoutId', '__proto__', 'constructor', 'lang[]', '%']
  const query = names.map((name) => `${name}=a&${name}=b&${name}&${name}=%ff`).join('&')
  expect((await get(`${path}?${query}&&=&?`)).statusCode).toBe(plain.statusCode)
})

test('scripts, fields and checkouts are also found under a base URL that ends with a slash', async () => {
  const id = await createCheckout()
  for (const path of [
    '/v1/paymentWidgets.js',
    '/pages/assets/form.js',
    '/pages/fields/cvv',
    `/pages/checkouts/${id}`,
  ]) {
    expect([path, (await get(`/${path}?checkoutId=${id}`)).statusCode]).toEqual([path, 200])
  }
})
