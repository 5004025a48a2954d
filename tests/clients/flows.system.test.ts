import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gatewayKinds } from '../support/public-gateways.ts'
import { authenticate, confirm } from './shopper.ts'
import {
  card,
  debit,
  entityOf,
  type Fields,
  type ChannelKind,
  channelKinds,
  outcome,
  SHOP,
  createWire,
} from './wire.ts'

// The tests repeat flows of deployed clients on each kind of channel: checkouts and the widget, redirects,
// notifications, stored cards, queries and schedules.

const APPROVED = '200 000.100.110'
const PENDING = '200 000.200.000'
const UNKNOWN = `${'A'.repeat(32)}.uat01-vm-tx03`

const challenged = '4012888888881881'
const frictionless = '4012001036275556'
/** The address that is mandatory for 3-D Secure on strict channels. */
const billing: Fields = {
  'billing.street1': 'Lindenstrasse 7',
  'billing.city': 'Berlin',
  'billing.postcode': '10969',
  'billing.country': 'DE',
}

const wire = createWire()
/** The merchant's server, which records the requests that it receives. */
let shop: Server
let calls: readonly string[] = []
let shopUrl = ''
beforeAll(async () => {
  shop = createServer(({ method, url }, response) => {
    calls = [...calls, `${method} ${url}`]
    response.end()
  })
  shop.listen(0, '127.0.0.1')
  await once(shop, 'listening')
  const { port }: AddressInfo = Object(shop.address())
  shopUrl = `http://127.0.0.1:${port}`
})
afterAll(async () => {
  shop.closeAllConnections()
  shop.close()
})

/** `id` and `resourcePath` in the URL at which a shopper returns to the shop. */
const returnParametersOf = (address: string) => {
  const { searchParams } = new URL(address)
  return { id: searchParams.get('id'), resourcePath: searchParams.get('resourcePath') }
}

describe.each(gatewayKinds)('a gateway %s', (gatewayKind) => {
  beforeAll(async () => {
    calls = []
    await wire.start(gatewayKind)
  })
  afterAll(() => wire.close())

  describe.each(channelKinds)('on a channel that is %s', (kind: ChannelKind) => {
    const entityId = entityOf[kind]
    const isLegacy = kind !== 'strict'
    const euros = { entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB' }
    const pay = (changes: Fields = {}) => wire.post('/v1/payments', { ...debit(kind), ...changes })
    const createCheckout = async (changes: Fields = {}) => {
      const { body } = await wire.post('/v1/checkouts', { ...euros, ...changes })
      return body.id
    }
    /** Submits the form as the shopper does, without a token. */
    const submit = (id: string, resource: string, fields: Fields = card) => {
      const body = { paymentBrand: 'VISA', shopperResultUrl: SHOP, ...fields }
      return wire.post(`/v1/checkouts/${id}/${resource}`, body, { token: '' })
    }
    const status = (id: string, resource = 'payment') =>
      wire.get(`/v1/checkouts/${id}/${resource}?entityId=${entityId}`)

    describe('checkouts', () => {
      test('are created and updated, with the id as ndc', async () => {
        const created = await wire.post('/v1/checkouts', { ...euros, integrity: 'true', testMode: 'EXTERNAL' })
        const { id, ndc, integrity } = created.body
        expect([outcome(created), ndc]).toEqual(['200 000.200.100', id])
        expect(id).toMatch(/^[0-9A-F]{32}\.[a-z0-9-]+$/)
        expect(integrity).toMatch(/^sha384-[A-Za-z0-9+/]{64}$/)
        const updated = await wire.post(`/v1/checkouts/${id}`, { entityId, amount: '93.00' })
        expect([outcome(updated), updated.body.id, updated.body.ndc]).toEqual(['200 000.200.101', id, id])
        expect(updated.body.result.description).toContain('successfully updated checkout')
      })

      test('integrity=True is accepted only on legacy channels', async () => {
        const created = await wire.post('/v1/checkouts', { ...euros, integrity: 'True' })
        expect(outcome(created)).toBe(isLegacy ? '200 000.200.100' : '400 200.300.404 integrity')
      })

      test('a repeated billing.state is accepted only on legacy channels', async () => {
        const body = `${new URLSearchParams(euros).toString()}&billing.state=CA&billing.state=CA`
        const created = await wire.post('/v1/checkouts', body)
        expect(outcome(created)).toBe(isLegacy ? '200 000.200.100' : '400 200.300.404 billing.state')
      })

      test('with testMode=EXTERNAL are paid at the acquirer’s test host', async () => {
        const id = await createCheckout({ testMode: 'EXTERNAL' })
        expect(outcome(await submit(id, 'payment'))).toBe('200 000.100.112')
      })

      test('the status is pending until the payment; the third read in a minute is refused', async () => {
        const id = await createCheckout()
        const unpaid = await status(id)
        expect([outcome(unpaid), unpaid.body.id]).toEqual([PENDING, isLegacy ? undefined : id])
        const paid = await submit(id, 'payment')
        expect([outcome(paid), paid.body.ndc]).toEqual([APPROVED, id])
        const read = await status(id)
        expect([outcome(read), read.body.id, read.body.ndc]).toEqual([APPROVED, paid.body.id, id])
        const third = await status(id)
        expect(outcome(third)).toBe('429 800.120.100')
        expect(third.body.result.description).toContain('Too many requests. Please try again later.')
        expect(Number(third.headers['retry-after'])).toBeGreaterThan(0)
      })

      test('the final status can be read again', async () => {
        const id = await createCheckout()
        await submit(id, 'payment')
        expect([outcome(await status(id)), outcome(await status(id))]).toEqual([APPROVED, APPROVED])
      })

      test('the status of an unknown checkout is an error, and a request without a token is refused', async () => {
        expect(outcome(await status(UNKNOWN))).toBe('404 200.300.404')
        const id = await createCheckout()
        expect(outcome(await wire.get(`/v1/checkouts/${id}/payment`, { token: '' }))).toBe('401 800.900.300')
      })

      test('a registration is created, charged by one click, extended and deleted', async () => {
        const created = await wire.post('/v1/checkouts', { entityId, createRegistration: 'true' })
        const stored = await submit(created.body.id, 'registration')
        expect([outcome(created), outcome(stored)]).toEqual(['200 000.200.100', APPROVED])
        const read = await status(created.body.id, 'registration')
        expect([outcome(read), read.body.id]).toEqual([APPROVED, stored.body.id])
        const { id } = read.body
        expect(outcome(await wire.get(`/v1/payments/${id}`))).toBe(isLegacy ? APPROVED : '404 700.400.580')

        const checkout = await createCheckout({ 'registrations[0].id': id })
        const paid = await submit(checkout, 'payment', { registrationId: id, 'card.cvv': '123', paymentBrand: '' })
        expect([outcome(paid), paid.body.registrationId]).toEqual([APPROVED, id])
        const path = `/v1/registrations/${id}`
        expect(outcome(await wire.post(`${path}/payments`, { ...euros, shopperResultUrl: SHOP }))).toBe(APPROVED)
        expect(outcome(await wire.post(`${path}/extendlife`, { entityId }))).toBe(APPROVED)
        expect(outcome(await wire.send('DELETE', `${path}?entityId=${entityId}`))).toBe(APPROVED)
      })
    })

    describe('the page of the widget', () => {
      test('loads the script, whose digest the checkout contains, from any origin', async () => {
        const { body } = await wire.post('/v1/checkouts', { ...euros, integrity: 'true' })
        const script = await wire.get(`/v1/paymentWidgets.js?checkoutId=${body.id}`, { token: '' })
        expect([script.status, script.headers['access-control-allow-origin']]).toEqual([200, '*'])
        expect(script.headers['content-type']).toMatch(/javascript/)
        expect(`sha384-${createHash('sha384').update(script.text).digest('base64')}`).toBe(body.integrity)
      })

      test('may send the inputs that merchants add to the form', async () => {
        const id = await createCheckout()
        const inputs = { createRegistration: 'true', 'customParameters[SHOPPER_gift]': 'yes' }
        const paid = await submit(id, 'payment', { ...card, ...inputs })
        expect(outcome(paid)).toBe(APPROVED)
        expect(paid.body.registrationId).toMatch(/^[0-9a-f]{32}$/)
        expect(paid.body).toMatchObject({ customParameters: { SHOPPER_gift: 'yes' } })
      })
    })

    describe('redirected shoppers', () => {
      test('return from a redirect method with id and resourcePath of the payment', async () => {
        const pending = await wire.post('/v1/payments', {
          ...euros,
          paymentBrand: 'IDEAL',
          shopperResultUrl: SHOP,
        })
        expect(outcome(pending)).toBe(PENDING)
        const returnUrl = await confirm(pending.body.redirect.url)
        const { id } = pending.body
        expect(returnUrl.startsWith(`${SHOP}&`)).toBe(true)
        expect(returnParametersOf(returnUrl)).toEqual({ id, resourcePath: `/v1/payments/${id}` })
        expect(outcome(await wire.get(`/v1/payments/${id}?entityId=${entityId}`))).toBe(APPROVED)
      })

      test('return from a redirect method of a checkout with id and resourcePath of the checkout', async () => {
        const id = await createCheckout()
        const { body } = await submit(id, 'payment', { paymentBrand: 'IDEAL' })
        expect(returnParametersOf(await confirm(body.redirect.url))).toEqual({
          id,
          resourcePath: `/v1/checkouts/${id}/payment`,
        })
        expect(outcome(await status(id))).toBe(APPROVED)
      })

      test.each([
        { flow: 'without a challenge', number: frictionless, password: '' },
        { flow: 'with a challenge', number: challenged, password: '1234' },
      ])('return from 3-D Secure $flow, if the channel requires it', async ({ number, password }) => {
        const pending = await pay({ 'card.number': number, shopperResultUrl: SHOP, ...billing })
        // The legacy channel of the sandbox has no 3-D Secure.
        expect(outcome(pending)).toBe(kind === 'legacy' ? APPROVED : PENDING)
        const { id } = pending.body
        if (kind === 'legacy') return
        const returnUrl = await authenticate(pending.body.redirect.url, password)
        expect(returnParametersOf(returnUrl)).toEqual({ id, resourcePath: `/v1/payments/${id}` })
        const paid = await wire.get(`/v1/payments/${id}?entityId=${entityId}`)
        expect(outcome(paid)).toBe(APPROVED)
        expect(paid.body).toMatchObject({ threeDSecure: { eci: '05', authenticationStatus: 'Y' } })
      })

      test('need a billing address for 3-D Secure on strict channels', async () => {
        const pending = await pay({ 'card.number': frictionless, shopperResultUrl: SHOP })
        expect(outcome(pending)).toBe(
          {
            strict: `400 200.300.404 ${Object.keys(billing).join(' ')}`,
            legacy: APPROVED,
            'legacy with 3-D Secure': PENDING,
          }[kind],
        )
      })

      test('return from a failed challenge', async () => {
        const authentication = { ...billing, shopperResultUrl: SHOP, 'card.number': challenged }
        const { body } = await wire.post('/v1/threeDSecure', { ...debit(kind), paymentType: '', ...authentication })
        expect(returnParametersOf(await authenticate(body.redirect.url, '1111')).id).toBe(body.id)
        const path = `/v1/threeDSecure/${body.id}?entityId=${entityId}`
        expect(outcome(await wire.get(path))).toBe('200 100.380.401')
      })

      test('first post the data of the 3DS method in a hidden frame, if the channel requires 3-D Secure', async () => {
        const pending = await pay({ 'card.number': '4200000000000042', shopperResultUrl: SHOP, ...billing })
        const preconditions = [
          {
            origin: 'iframe#hidden',
            waitUntil: 'iframe#onload',
            description: expect.any(String),
            method: 'POST',
            url: expect.stringMatching(/^http:/),
            parameters: [{ name: 'threeDSMethodData', value: expect.any(String) }],
          },
        ]
        const redirect = { url: expect.stringMatching(/^http:/), parameters: [], preconditions }
        expect(Object(pending.body)).toMatchObject(kind === 'legacy' ? { paymentType: 'DB' } : { redirect })
      })

      test('wait for 3-D Secure if test parameters enrol the card and the channel has 3-D Secure', async () => {
        const pending = await pay({
          'customParameters[3DS2_enrolled]': 'true',
          'customParameters[3DS2_flow]': 'challenge',
          shopperResultUrl: SHOP,
          ...billing,
        })
        expect(outcome(pending)).toBe(kind === 'legacy' ? APPROVED : PENDING)
      })
    })

    describe('notificationUrl', () => {
      /** The recorded calls to a path of the shop. */
      const callsOf = (path: string) => calls.filter((call) => call.startsWith(`GET ${path}?`))
      const expectCalls = async (path: string, id: string, resourcePath: string, times: number) => {
        const call = `GET ${path}?${new URLSearchParams({ id, resourcePath }).toString()}`
        await expect.poll(() => callsOf(path), { timeout: 20_000 }).toEqual(Array.from({ length: times }, () => call))
      }

      test('is called after a payment', async () => {
        const path = `/payment-${entityId}`
        const { id } = (await pay({ notificationUrl: shopUrl + path })).body
        await expectCalls(path, id, `/v1/payments/${id}`, 1)
      })

      test('is called after a registration', async () => {
        const path = `/registration-${entityId}`
        const fields = { entityId, paymentBrand: 'VISA', ...card, notificationUrl: shopUrl + path }
        const { id } = (await wire.post('/v1/registrations', fields)).body
        await expectCalls(path, id, `/v1/registrations/${id}`, 1)
      })

      test('is called at the start and the end of a redirect', async () => {
        const path = `/redirect-${entityId}`
        const fields = { ...euros, paymentBrand: 'IDEAL', shopperResultUrl: SHOP, notificationUrl: shopUrl + path }
        const { id, redirect } = (await wire.post('/v1/payments', fields)).body
        await expectCalls(path, id, `/v1/payments/${id}`, 1)
        await confirm(redirect.url)
        await expectCalls(path, id, `/v1/payments/${id}`, 2)
      })

      test('is called at the start and the end of a challenge, or once on the channel without 3-D Secure', async () => {
        const path = `/challenge-${entityId}`
        const fields = {
          'card.number': challenged,
          shopperResultUrl: SHOP,
          ...billing,
          notificationUrl: shopUrl + path,
        }
        const { id, redirect } = (await pay(fields)).body
        await expectCalls(path, id, `/v1/payments/${id}`, 1)
        // Without 3-D Secure the payment is approved at once, and notified once.
        if (kind === 'legacy') return
        await authenticate(redirect.url, '1234')
        await expectCalls(path, id, `/v1/payments/${id}`, 2)
      })

      test('is called with the path of the checkout', async () => {
        const path = `/checkout-${entityId}`
        const id = await createCheckout({ notificationUrl: shopUrl + path })
        await submit(id, 'payment')
        await expectCalls(path, id, `/v1/checkouts/${id}/payment`, 1)
      })
    })

    describe('queries and schedules', () => {
      test('a payment is found by its id, and by the merchant’s transaction id', async () => {
        const merchantTransactionId = `order-${entityId}`
        const { id } = (await pay({ merchantTransactionId })).body
        const payment = await wire.get(`/v1/query/${id}?entityId=${entityId}`)
        expect([outcome(payment), payment.body.id]).toEqual([APPROVED, id])
        const filter = new URLSearchParams({ entityId, merchantTransactionId }).toString()
        const queried = await wire.get(`/v1/query?${filter}`)
        expect(queried.body.payments.map((entry) => entry.id)).toEqual([id])
        const page = await wire.get(`/v3/query?${filter}&limit=100&pageNo=1`)
        expect(page.body.records.map((record) => record.id)).toEqual([id])
        expect(page.body).toMatchObject({ pages: 1, pageNo: 1 })
      })

      test('payments are found by a time range', async () => {
        const { id } = (await pay()).body
        const range = { 'date.from': '2020-01-01 00:00:00', 'date.to': '2099-01-01 00:00:00' }
        const page = await wire.get(`/v3/query?${new URLSearchParams({ entityId, ...range, limit: '500' }).toString()}`)
        expect(page.body.records.map((record) => record.id)).toContain(id)
      })

      test('an unknown query parameter is accepted only on legacy channels', async () => {
        await pay({ merchantTransactionId: 'order-4711' })
        const path = `/v1/query?entityId=${entityId}&merchantTransactionId=order-4711&shopperOrigin=shop`
        expect(outcome(await wire.get(path))).toBe(isLegacy ? '200 000.000.100' : '400 200.300.404 shopperOrigin')
      })

      test('a schedule is created, replaced and ended', async () => {
        const { registrationId } = (await pay({ createRegistration: 'true' })).body
        const plan = {
          ...euros,
          registrationId,
          'job.second': '0',
          'job.minute': '0',
          'job.hour': '6',
          'job.dayOfMonth': '1',
          'job.month': '*',
          'job.dayOfWeek': '?',
          'job.year': '*',
        }
        const created = await wire.post('/scheduling/v1/schedules', plan)
        expect(outcome(created)).toBe(APPROVED)
        const path = `/scheduling/v1/schedules/${created.body.id}`
        const read = await wire.get(`${path}?entityId=${entityId}`)
        expect(read.body).toMatchObject({ plan: { active: 'true' } })
        const schedules = await wire.get(`/scheduling/v1/schedules/${registrationId}?entityId=${entityId}`)
        expect(schedules.body).toMatchObject({ schedules: [{ id: created.body.id, plan: { active: 'true' } }] })
        const replaced = await wire.post(`${path}/reschedule`, { ...plan, amount: '5.00' })
        expect(outcome(replaced)).toBe(APPROVED)
        expect(outcome(await wire.post(`${path}/deschedule`, { entityId }))).toBe(APPROVED)
        const secondSchedule = await wire.post('/scheduling/v1/schedules', plan)
        const ended = await wire.send(
          'DELETE',
          `/scheduling/v1/schedules/${secondSchedule.body.id}?entityId=${entityId}`,
        )
        expect(outcome(ended)).toBe(APPROVED)
      })
    })
  })

  test('result codes are listed without authentication', async () => {
    const { body } = await wire.get('/v1/resultcodes', { token: '' })
    expect(body).toMatchObject({ id: expect.any(String) })
    expect(Object(body).resultCodes[0]).toEqual({ code: expect.any(String), description: expect.any(String) })
  })
})
