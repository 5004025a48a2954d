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

async function create(changes: Parameters = {}): Promise<string> {
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

const seen = async (id: string, locale = 'de') => (await get(`/pages/checkouts/${id}?locale=${locale}`)).json()

test('the form gets its view and its texts in the language of the page', async () => {
  const id = await create()
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
  expect([(await seen(id, 'ar')).direction, (await seen(id, 'da')).language, (await seen(id, 'xx')).language]).toEqual([
    'rtl',
    'dk',
    'en',
  ])
})

test('it gets no brand that cannot do the operation of the checkout', async () => {
  const offered = async (changes: Parameters) => Object.keys((await seen(await create(changes))).brands)
  const ofInterest = ['VISA', 'DIRECTDEBIT_SEPA', 'PAYPAL', 'IDEAL', 'KLARNA_PAYMENTS_PAYLATER', 'OXXO']
  const among = (codes: readonly string[]) => ofInterest.filter((code) => codes.includes(code))
  expect(among(await offered({}))).toEqual(ofInterest)
  const holding = await offered({ paymentType: 'PA', 'overridePaymentType[IDEAL]': 'DB' })
  expect(among(holding)).toEqual(['VISA', 'PAYPAL', 'IDEAL', 'KLARNA_PAYMENTS_PAYLATER'])
  expect(among(await offered({ createRegistration: 'true' }))).toEqual(['VISA', 'DIRECTDEBIT_SEPA', 'PAYPAL'])
  const nothing = { amount: undefined, currency: undefined, paymentType: undefined }
  expect(among(await offered({ ...nothing, createRegistration: 'true' }))).toEqual(['VISA', 'DIRECTDEBIT_SEPA'])
})

test('it gets the status of the checkout, and the address at which a lost shopper continues', async () => {
  const id = await create()
  const { body } = await pay(id, { paymentBrand: 'PAYPAL' })
  const pending = await seen(id)
  expect([pending.state, pending.redirect.url, pending.redirect.inFrame]).toEqual(['pending', body.redirect.url, false])
  const paid = await create()
  await pay(paid, cardWithoutPayment())
  expect((await seen(paid)).state).toBe('done')
  expect((await seen('0'.repeat(37))).state).toBe('gone')
  expect(
    (
      await seen(
        await create({ createRegistration: 'true', amount: undefined, currency: undefined, paymentType: undefined }),
      )
    ).purpose,
  ).toBe('registration')
})

test('it gets the reason of the last decline, if shoppers may see it', async () => {
  const id = await create()
  expect((await seen(id)).declined).toBe(undefined)
  await pay(id, cardWithoutPayment({ 'card.holder': '{800.100.153}' }))
  expect(await seen(id)).toMatchObject({ state: 'open', declined: 'cvv', cancellable: false })
  await pay(id, cardWithoutPayment({ 'card.holder': '{800.100.159}' }))
  expect(await seen(id)).toMatchObject({ state: 'open', declined: 'generic' })
  await pay(id, cardWithoutPayment())
  expect((await seen(id)).declined).toBe(undefined)
})

test('it names whom the mandate of a direct debit is given to, by the settings of the channel', async () => {
  const nobody = { creditor: undefined, creditorId: undefined, reference: undefined }
  const set = (settings: object) => tollgate.manage('PATCH', `/entities/${sandboxIds.masterChannel}`, { settings })
  const entityId = sandboxIds.masterChannel
  await set({ bankAccount: null })
  const { mandate: none } = await seen(await create({ entityId }))
  await set({ bankAccount: { holder: 'Tea & Cake GmbH' } })
  const { mandate: holder } = await seen(await create({ entityId, 'bankAccount.mandate.id': 'M-A' }))
  expect(holder).toEqual({ creditor: 'Tea & Cake GmbH', reference: 'M-A' })
  expect((await set({ sepaCreditor: { name: 'Tea', id: 'DE97ZZZ09999999999' } })).status).toBe(400)
  expect((await set({ sepaCreditor: { name: 'Tea', id: 'DE98ZZZ09999999999' } })).status).toBe(200)
  const { mandate } = await seen(await create({ entityId }))
  expect(mandate).toEqual({ creditor: 'Tea', creditorId: 'DE98ZZZ09999999999' })
  await set({ sepaCreditor: null, bankAccount: null })
  expect({ ...nobody, ...none }).toMatchObject({ creditorId: undefined, reference: undefined })
})

test('of stored accounts it gets only the masked account', async () => {
  const { body } = await tollgate.send('POST', '/v1/registrations', cardWithoutPayment())
  const { registrations } = await seen(await create({ 'registrations[0].id': body.id }))
  expect(registrations).toEqual([
    { id: body.id, brand: 'VISA', last4: '0000', holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' },
  ])
})

test('it offers the methods that the channel accepts', async () => {
  const id = await create({ entityId: sandboxIds.masterChannel })
  expect(Object.keys((await seen(id)).brands)).toEqual(['MASTER'])
})

test('the script matches the published digest, for every checkout', async () => {
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
  const packed = await tollgate.server.inject({ method: 'GET', url, headers })
  expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip'])
  expect([plain.headers['vary'], packed.headers['vary']]).toEqual(['accept-encoding', 'accept-encoding'])
  expect(gunzipSync(packed.rawPayload)).toEqual(plain.rawPayload)
  expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
})

test.each(['number', 'cvv'])('the frame of the %s runs nothing but its own script', async (field) => {
  const { body, headers } = await get(`/pages/fields/${field}?checkoutId=x&lang=ar`)
  const nonce = /script-src 'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1]
  expect(body).toContain(`nonce="${nonce}"`)
  expect(body).toContain('dir="rtl"')
  expect(body).not.toMatch(/<script(?![^>]*integrity=)/)
  const [, script = ''] = /src="([^"]+)"/.exec(body) ?? []
  expect((await get(script)).statusCode).toBe(200)
})

test.each(['/pages/assets/nothing.js', '/pages/assets/../build-number.json', '/pages/assets/index.json'])(
  '%s is no file for browsers',
  async (url) => expect((await get(url)).statusCode).toBe(404),
)

test('of a parameter that comes several times the last one counts', async () => {
  const id = await create()
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
])('%s: nothing in a query is an error of ours', async (path) => {
  const plain = await get(path)
  const names = ['lang', 'locale', 'checkoutId', '__proto__', 'constructor', 'lang[]', '%']
  const query = names.map((name) => `${name}=a&${name}=b&${name}&${name}=%ff`).join('&')
  expect((await get(`${path}?${query}&&=&?`)).statusCode).toBe(plain.statusCode)
})

test('a base URL that ends with a slash changes nothing', async () => {
  const id = await create()
  for (const path of [
    '/v1/paymentWidgets.js',
    '/pages/assets/form.js',
    '/pages/fields/cvv',
    `/pages/checkouts/${id}`,
  ]) {
    expect([path, (await get(`/${path}?checkoutId=${id}`)).statusCode]).toEqual([path, 200])
  }
})
