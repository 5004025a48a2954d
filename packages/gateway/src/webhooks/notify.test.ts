import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { cardPayment, testGateway } from '../testing/test-gateway.ts'

const tollgate = await testGateway()
const called: string[] = []
let status = 200
const server = createServer((request, response) => {
  called.push(`${request.method} ${request.url}`)
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
  called.length = 0
  status = 200
})

const pay = (changes = {}) => tollgate.send('POST', '/v1/payments', cardPayment({ notificationUrl: url, ...changes }))
const tell = () => tollgate.gateway.jobs.travel(tollgate.gateway.clock.now())
const calls = (id: string, path: string) => `GET /notify?shop=1&id=${id}&resourcePath=${encodeURIComponent(path + id)}`

test('is called for each transaction of its request, with the id and where to ask', async () => {
  const { body: paid } = await pay({ createRegistration: 'true' })
  const refund = { paymentType: 'RF', amount: '1.00', currency: 'EUR', notificationUrl: url }
  const { body: refunded } = await tollgate.send('POST', `/v1/payments/${paid.id}`, refund)
  const { body: declined } = await pay({ 'card.holder': '{800.100.151}' })
  await tell()
  expect(called).toHaveLength(4)
  expect(called.toSorted()).toEqual(
    [
      calls(paid.id, '/v1/payments/'),
      calls(paid.registrationId, '/v1/registrations/'),
      calls(refunded.id, '/v1/payments/'),
      calls(declined.id, '/v1/payments/'),
    ].toSorted(),
  )
})

test('is called at once, with its query as the merchant spelled it', async () => {
  const nudge = vi.spyOn(tollgate.gateway.jobs, 'nudge')
  const { body: paid } = await pay({ notificationUrl: `${url}%20a~b&flag` })
  expect(nudge).toHaveBeenCalledExactlyOnceWith('notification', expect.any(String))
  nudge.mockRestore()
  await tell()
  expect(called).toEqual([calls(paid.id, '/v1/payments/').replace('shop=1', 'shop=1%20a~b&flag')])
})

test('is not called for what was refused, nor for requests without it', async () => {
  await pay({ amount: 'x' })
  await pay({ notificationUrl: undefined })
  await tollgate.send('POST', `/v1/payments/${'0'.repeat(32)}`, {
    paymentType: 'RF',
    amount: '1.00',
    currency: 'EUR',
    notificationUrl: url,
  })
  await tell()
  expect(called).toEqual([])
})

test('is called again where it fails, and every call is kept', async () => {
  status = 500
  await pay()
  await tell()
  status = 200
  const { happened } = await tollgate.gateway.jobs.travel(tollgate.gateway.clock.now() + 120_000)
  expect(happened.map(({ kind, outcome }) => `${kind}: ${outcome}`)).toEqual(['notification: delivered'])
  expect(called).toHaveLength(2)
})

test('is given up in sight where nobody may be sent', async () => {
  await pay({ notificationUrl: 'http://192.168.0.1/notify' })
  await tell()
  const [parked] = (await tollgate.manage('GET', '/deliveries?state=parked')).body.deliveries
  expect(parked).toMatchObject({ state: 'parked', lastError: expect.stringMatching(/^refused: /) })
  expect(parked).not.toHaveProperty('webhookId')
  const { body } = await tollgate.manage('GET', `/deliveries/${parked.id}`)
  expect(body.attemptsMade).toHaveLength(1)
})
