import { once } from 'node:events'
import { createServer } from 'node:http'
import { DAY_MS, MINUTE_MS } from '@tollgate/contract'
import type { Unit } from '@tollgate/storage'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  cardWithoutPayment,
  cardPayment,
  FORM,
  formOf,
  testBank,
  testGateway,
  testStorage,
} from '@tollgate/gateway/testing'

const bank = testBank()
const tollgate = await testGateway({ redirects: bank.connector })
const receivedLines: string[] = []
let status = 200
const server = createServer((request, response) => {
  receivedLines.push(`${request.method} ${request.url}`)
  response.writeHead(status).end()
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/notify?shop=1`
afterAll(async () => {
  await tollgate.close()
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  receivedLines.length = 0
  status = 200
})

const pay = (changes = {}) => tollgate.send('POST', '/v1/payments', cardPayment({ notificationUrl: url, ...changes }))
const runDueJobs = () => tollgate.gateway.jobs.fastForward(tollgate.gateway.clock.now())
const requestLine = (id: string, path: string) =>
  `GET /notify?shop=1&id=${id}&resourcePath=${encodeURIComponent(path + id)}`

test('a notificationUrl is called for each transaction of its request, with the id and the resourcePath', async () => {
  const { body: paid } = await pay({ createRegistration: 'true' })
  const refund = { paymentType: 'RF', amount: '1.00', currency: 'EUR', notificationUrl: url }
  const { body: refunded } = await tollgate.send('POST', `/v1/payments/${paid.id}`, refund)
  const { body: declined } = await pay({ 'card.holder': '{800.100.151}' })
  await runDueJobs()
  expect(receivedLines).toHaveLength(4)
  expect(receivedLines.toSorted()).toEqual(
    [
      requestLine(paid.id, '/v1/payments/'),
      requestLine(paid.registrationId, '/v1/registrations/'),
      requestLine(refunded.id, '/v1/payments/'),
      requestLine(declined.id, '/v1/payments/'),
    ].toSorted(),
  )
})

test('a notificationUrl is called at once, with its query unchanged', async () => {
  const notify = vi.spyOn(tollgate.gateway.jobs, 'notify')
  const { body: paid } = await pay({ notificationUrl: `${url}%20a~b&flag` })
  expect(notify).toHaveBeenCalledExactlyOnceWith('notification', expect.any(String))
  notify.mockRestore()
  await runDueJobs()
  expect(receivedLines).toEqual([requestLine(paid.id, '/v1/payments/').replace('shop=1', 'shop=1%20a~b&flag')])
})

test('a notificationUrl is not called for refused requests or for requests without it', async () => {
  await pay({ amount: 'x' })
  await pay({ notificationUrl: undefined })
  await tollgate.send('POST', `/v1/payments/${'0'.repeat(32)}`, {
    paymentType: 'RF',
    amount: '1.00',
    currency: 'EUR',
    notificationUrl: url,
  })
  await runDueJobs()
  expect(receivedLines).toEqual([])
})

test('a failed call of a notificationUrl is retried', async () => {
  status = 500
  await pay()
  await runDueJobs()
  status = 200
  const { entries } = await tollgate.gateway.jobs.fastForward(tollgate.gateway.clock.now() + 120_000)
  expect(entries.map(({ kind, outcome }) => `${kind}: ${outcome}`)).toEqual(['notification: delivered'])
  expect(receivedLines).toHaveLength(2)
})

test('a call of a private address is refused and dead-lettered', async () => {
  await pay({ notificationUrl: 'http://192.168.0.1/notify' })
  await runDueJobs()
  const [deadLettered] = (await tollgate.manage('GET', '/deliveries?state=parked')).body.deliveries
  expect(deadLettered).toMatchObject({ state: 'parked', lastError: expect.stringMatching(/^refused: /) })
  expect(deadLettered).not.toHaveProperty('webhookId')
  const { body } = await tollgate.manage('GET', `/deliveries/${deadLettered.id}`)
  expect(body.attemptsMade).toHaveLength(1)
})

const fastForward = (ms: number) => tollgate.gateway.jobs.fastForward(tollgate.gateway.clock.now() + ms)
const pathOf = (page: string) => new URL(page).pathname
const redirectPayment = {
  amount: '92.00',
  currency: 'EUR',
  paymentType: 'DB',
  paymentBrand: 'PAYPAL',
  shopperResultUrl: 'https://shop.example/done',
}
const returnToShop = () => tollgate.server.inject({ method: 'GET', url: pathOf(bank.lastPayment().returnUrl) })

/** The events that complete a redirect payment. */
const completions: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['the return of the shopper', returnToShop],
  [
    'a notification of the bank',
    async () =>
      tollgate.server.inject({
        method: 'POST',
        url: pathOf(bank.lastPayment().notificationUrl),
        payload: { id: bank.lastPayment().id },
      }),
  ],
  ['a poll', () => fastForward(2 * MINUTE_MS)],
]

describe('the notificationUrl of a payment', () => {
  test.each(completions)(
    'is called when the payment becomes pending, and when it is completed by %s',
    async (_, complete) => {
      const { body } = await tollgate.send('POST', '/v1/payments', { ...redirectPayment, notificationUrl: url })
      const call = requestLine(body.id, '/v1/payments/')
      await runDueJobs()
      expect(receivedLines).toEqual([call])
      bank.lastPayment().state = 'paid'
      await complete()
      await runDueJobs()
      expect(receivedLines).toEqual([call, call])
      await fastForward(DAY_MS)
      expect(receivedLines).toEqual([call, call])
    },
  )

  test('is called when the payment expires, and when it is approved later', async () => {
    const { body } = await tollgate.send('POST', '/v1/payments', { ...redirectPayment, notificationUrl: url })
    const call = requestLine(body.id, '/v1/payments/')
    await fastForward(31 * MINUTE_MS)
    expect(receivedLines).toEqual([call, call])
    bank.lastPayment().state = 'paid'
    await fastForward(2 * 60 * MINUTE_MS)
    expect((await tollgate.send('GET', `/v1/payments/${body.id}`)).body.result.code).toBe('000.600.000')
    expect(receivedLines).toEqual([call, call, call])
  })

  test('is not called for follow-ups, which have a notificationUrl of their own or none', async () => {
    const { body: paid } = await pay({ paymentType: 'PA' })
    const followUp = (form: Readonly<Record<string, string>>) => tollgate.send('POST', `/v1/payments/${paid.id}`, form)
    await followUp({ paymentType: 'CP', amount: '10.00', currency: 'EUR' })
    const otherUrl = url.replace('shop=1', 'shop=2')
    const capture = { paymentType: 'CP', amount: '10.00', currency: 'EUR' }
    const { body: captured } = await followUp({ ...capture, notificationUrl: otherUrl })
    await runDueJobs()
    const call = requestLine(captured.id, '/v1/payments/').replace('shop=1', 'shop=2')
    expect(receivedLines.toSorted()).toEqual([requestLine(paid.id, '/v1/payments/'), call].toSorted())
    // The gateway's reversal of the remaining amount has no notificationUrl.
    await fastForward(8 * DAY_MS)
    expect(receivedLines).toHaveLength(2)
  })

  test('is called by a job that is committed in the same unit as the result', async () => {
    const storage = await testStorage()
    const units: Unit[] = []
    const commit = (unit: Unit) => {
      units.push(unit)
      return storage.commit(unit)
    }
    const observed = await testGateway({ storage: { ...storage, commit }, redirects: bank.connector })
    const { body } = await observed.send('POST', '/v1/payments', { ...redirectPayment, notificationUrl: url })
    bank.lastPayment().state = 'paid'
    await observed.server.inject({ method: 'GET', url: pathOf(bank.lastPayment().returnUrl) })
    const results = units.flatMap(({ compareAndSets = [], rows }) =>
      compareAndSets
        .filter(({ table, from }) => table === 'payment_transaction' && from.id === body.id)
        .map(({ to }) => [Object(to).status, rows.event?.map(({ type }) => type), rows.job?.map(({ kind }) => kind)]),
    )
    expect(results).toEqual([
      ['PENDING', ['NOTIFICATION'], expect.arrayContaining(['notification'])],
      ['ACK', ['NOTIFICATION'], ['notification']],
    ])
    await observed.close()
  })
})

test('a payment without a notificationUrl stores no facts and causes no call', async () => {
  const { body } = await pay({ notificationUrl: undefined })
  const { storage } = tollgate.gateway
  expect(await storage.transactions([body.id])).toMatchObject([{ facts: '{}' }])
  await runDueJobs()
  expect(receivedLines).toEqual([])
})

describe('the notificationUrl of a checkout', () => {
  const prepare = async (form: Readonly<Record<string, string>>) => {
    const { body } = await tollgate.send('POST', '/v1/checkouts', { ...form, notificationUrl: url })
    return String(body.id)
  }
  const checkoutRequestLine = (id: string, resource: string) =>
    `GET /notify?shop=1&id=${id}&resourcePath=${encodeURIComponent(`/v1/checkouts/${id}/${resource}`)}`
  const submit = (id: string, resource: string, form: Readonly<Record<string, string | undefined>>) =>
    tollgate.request({
      method: 'POST',
      url: `/v1/checkouts/${id}/${resource}`,
      headers: { 'content-type': FORM },
      payload: formOf(form),
    })
  const card = cardWithoutPayment()

  test('is called with its path for each result, declines included', async () => {
    const id = await prepare({ amount: '92.00', currency: 'EUR', paymentType: 'DB' })
    await submit(id, 'payment', { ...card, 'card.holder': '{800.100.151}' })
    await runDueJobs()
    expect(receivedLines).toEqual([checkoutRequestLine(id, 'payment')])
    await submit(id, 'payment', { ...card, createRegistration: 'true' })
    await runDueJobs()
    expect(receivedLines).toEqual([checkoutRequestLine(id, 'payment'), checkoutRequestLine(id, 'payment')])
  })

  test('is called with its path for a registration', async () => {
    const id = await prepare({ createRegistration: 'true' })
    await submit(id, 'registration', cardWithoutPayment())
    await runDueJobs()
    expect(receivedLines).toEqual([checkoutRequestLine(id, 'registration')])
  })

  test.each(completions)(
    'is called with its path for an asynchronous payment that is completed by %s',
    async (__, complete) => {
      const { paymentBrand, shopperResultUrl, ...checkoutParameters } = redirectPayment
      const id = await prepare({ ...checkoutParameters, shopperResultUrl })
      await submit(id, 'payment', { paymentBrand })
      await runDueJobs()
      expect(receivedLines).toEqual([checkoutRequestLine(id, 'payment')])
      bank.lastPayment().state = 'paid'
      await complete()
      await runDueJobs()
      expect(receivedLines).toEqual([checkoutRequestLine(id, 'payment'), checkoutRequestLine(id, 'payment')])
    },
  )
})
