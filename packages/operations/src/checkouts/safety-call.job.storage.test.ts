import { once } from 'node:events'
import { createServer } from 'node:http'
import { MINUTE_MS } from '@tollgate/contract'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { cardWithoutPayment, FORM, formOf, type Parameters, testBank, testGateway } from '@tollgate/gateway/testing'

const bank = testBank()
const tollgate = await testGateway({ redirects: bank.connector })
const calls: string[] = []
let status = 200
const server = createServer((request, response) => {
  calls.push(`${request.method} ${request.url}`)
  response.writeHead(status).end()
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const shop = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/done?order=1`

afterAll(async () => {
  await tollgate.close()
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  calls.length = 0
  status = 200
})

const fastForward = (minutes: number) =>
  tollgate.gateway.jobs.fastForward(tollgate.gateway.clock.now() + minutes * MINUTE_MS)

async function create(parameters: Parameters = {}): Promise<string> {
  const prepared = { amount: '92.00', currency: 'EUR', paymentType: 'DB', shopperResultUrl: shop, ...parameters }
  return (await tollgate.send('POST', '/v1/checkouts', prepared)).body.id
}

const submit = async (id: string, parameters: Parameters = cardWithoutPayment(), resource = 'payment') =>
  tollgate.request({
    method: 'POST',
    url: `/v1/checkouts/${id}/${resource}`,
    headers: { 'content-type': FORM },
    payload: formOf(parameters),
  })

const read = (id: string) => tollgate.send('GET', `/v1/checkouts/${id}/payment`)
const expectedCall = (id: string, path: string) => `GET /done?order=1&id=${id}&resourcePath=${encodeURIComponent(path)}`

test('the shopperResultUrl of an unread checkout is called once, 29 minutes after its creation', async () => {
  const id = await create()
  await submit(id)
  await fastForward(28)
  expect(calls).toEqual([])
  await fastForward(1)
  expect(calls).toEqual([expectedCall(id, `/v1/checkouts/${id}/payment`)])
  await fastForward(60)
  expect(calls).toHaveLength(1)
})

test('the shopperResultUrl of an unread registration is called, too', async () => {
  const id = await create({
    amount: undefined,
    currency: undefined,
    paymentType: undefined,
    createRegistration: 'true',
  })
  await submit(id, cardWithoutPayment(), 'registration')
  await fastForward(29)
  expect(calls).toEqual([expectedCall(id, `/v1/checkouts/${id}/registration`)])
})

test('the shopperResultUrl of the form is called if the merchant prepared none', async () => {
  const id = await create({ shopperResultUrl: undefined })
  await submit(id, { ...cardWithoutPayment(), shopperResultUrl: shop })
  await fastForward(29)
  expect(calls).toEqual([expectedCall(id, `/v1/checkouts/${id}/payment`)])
})

test('no call is made for a checkout that was read or never submitted', async () => {
  const [submittedId] = [await create(), await create()]
  await submit(submittedId)
  await read(submittedId)
  await fastForward(40)
  expect(calls).toEqual([])
})

test('a read of the pending status does not count as a read of the result', async () => {
  const id = await create()
  await submit(id, { paymentBrand: 'PAYPAL' })
  await read(id)
  bank.lastPayment().state = 'paid'
  await fastForward(29)
  expect(calls).toEqual([expectedCall(id, `/v1/checkouts/${id}/payment`)])
})

test('the shopperResultUrl receives the path of a payment that completes after its checkout has expired', async () => {
  const id = await create()
  const { body } = await submit(id, { paymentBrand: 'PAYPAL' })
  await fastForward(35)
  calls.length = 0
  bank.lastPayment().state = 'paid'
  await fastForward(60)
  expect(calls).toEqual([expectedCall(id, `/v1/payments/${body.id}`)])
})

test('a failed call is retried', async () => {
  const id = await create()
  await submit(id)
  status = 503
  await fastForward(29)
  status = 200
  await fastForward(5)
  expect(calls).toHaveLength(2)
})
