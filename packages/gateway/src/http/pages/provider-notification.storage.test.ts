import { createCipheriv, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sandboxIds } from '@tollgate/operations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testGateway, type TestGateway } from '../../testing/test-gateway.ts'

// A provider that sends shoppers to a page of its own, and notifies the gateway at the address of its connector.

const key = 'ab'.repeat(32)
/** Notifications of the flood. */
const FLOOD = 90
const UPSTREAM_ID = '8ac7a4a1000000000000000000000001'

let provider: Server
let tollgate: TestGateway
/** The references of the payments that the provider got, and how often it was asked for a payment. */
const references: string[] = []
let reads = 0
let code = '000.200.000'

beforeAll(async () => {
  provider = createServer((request, response) => {
    let form = ''
    request.on('data', (chunk) => (form += String(chunk)))
    request.on('end', () => {
      if (request.method === 'GET') reads += 1
      else references.push(new URLSearchParams(form).get('merchantTransactionId') ?? '')
      const payment = {
        id: UPSTREAM_ID,
        paymentType: 'DB',
        paymentBrand: 'PAYPAL',
        amount: '92.00',
        currency: 'EUR',
        merchantTransactionId: references.at(-1),
        result: { code, description: 'as the provider says' },
        redirect: { url: 'https://wallet.example/pay', parameters: [] },
        timestamp: '2026-05-04 03:02:01+0000',
        ndc: 'ndc',
      }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(payment))
    })
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const { port }: AddressInfo = Object(provider.address())
  tollgate = await testGateway()
  const settings = { baseUrl: `http://127.0.0.1:${port}`, entityId: sandboxIds.channel, verificationCurrency: 'EUR' }
  const credentials = { accessToken: 'token', notificationKey: key }
  for (const name of ['upstream', 'other'])
    await tollgate.manage('POST', '/connectors', { name, kind: 'upstream', settings, credentials })
  const keyless = { name: 'keyless', kind: 'upstream', settings, credentials: { accessToken: 'token' } }
  await tollgate.manage('POST', '/connectors', keyless)
  const when = { testModes: ['INTERNAL', 'EXTERNAL'] }
  const routes = [{ name: 'all', when, targets: [{ connector: 'upstream' }] }]
  await tollgate.manage('PUT', `/entities/${sandboxIds.channel}/routes`, { routes })
})
afterAll(async () => {
  await tollgate.gateway.connectors.close()
  await tollgate.close()
  provider.close()
})

async function pay(): Promise<string> {
  code = '000.200.000'
  const { body } = await tollgate.send('POST', '/v1/payments', {
    amount: '92.00',
    currency: 'EUR',
    paymentType: 'DB',
    paymentBrand: 'PAYPAL',
    shopperResultUrl: 'https://shop.example/done',
  })
  expect(body.result.code).toBe('000.200.000')
  return body.id
}
const codeOf = async (id: string) => (await tollgate.send('GET', `/v1/payments/${id}`)).body.result.code

/** Sends a notification that names a reference, encrypted as the contract says. */
function notify(reference: string, { to = 'upstream', by = key } = {}) {
  const vector = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(by, 'hex'), vector)
  const payload = { id: UPSTREAM_ID, merchantTransactionId: reference }
  const text = JSON.stringify({ type: 'PAYMENT', action: 'UPDATED', payload })
  const body = Buffer.concat([cipher.update(text), cipher.final()]).toString('hex')
  return tollgate.server.inject({
    method: 'POST',
    url: `/pages/connectors/${to}/notifications`,
    headers: {
      'content-type': 'text/plain',
      'x-initialization-vector': vector.toString('hex'),
      'x-authentication-tag': cipher.getAuthTag().toString('hex'),
    },
    payload: body,
  })
}

test('a notification completes a payment with the state that is read from the provider', async () => {
  const id = await pay()
  const reference = references.at(-1) ?? ''
  expect(reference.startsWith(`${id}-`)).toBe(true)
  expect((await notify(reference)).statusCode).toBe(204)
  expect(await codeOf(id)).toBe('000.200.000')
  code = '000.100.110'
  expect((await notify(reference)).statusCode).toBe(204)
  expect(await codeOf(id)).toBe('000.100.110')
  const readsBefore = reads
  code = '800.100.152'
  expect((await notify(reference)).statusCode).toBe(204)
  expect([await codeOf(id), reads]).toEqual(['000.100.110', readsBefore])
})

test('without the key, a notification gets the answer of a connector that does not exist', async () => {
  const id = await pay()
  const reference = references.at(-1) ?? ''
  const readsBefore = reads
  code = '000.100.110'
  const refusals = [
    await notify(reference, { to: 'unknown' }),
    await notify(reference, { to: 'unknown', by: 'cd'.repeat(32) }),
    await notify(reference, { by: 'cd'.repeat(32) }),
    await notify(reference, { to: 'keyless' }),
    await notify(reference, { to: 'simulator' }),
  ]
  const comparable = refusals.map(({ statusCode, body, headers }) => ({
    statusCode,
    body,
    headers: { ...headers, date: undefined },
  }))
  expect(comparable.map(({ statusCode }) => statusCode)).toEqual(refusals.map(() => 404))
  for (const refusal of comparable) expect(refusal).toEqual(comparable[0])
  expect([await codeOf(id), reads]).toEqual(['000.200.000', readsBefore])
})

test('a notification about a payment of another connector, or about none, changes nothing', async () => {
  const id = await pay()
  const reference = references.at(-1) ?? ''
  const readsBefore = reads
  code = '000.100.110'
  expect((await notify(reference, { to: 'other' })).statusCode).toBe(204)
  expect((await notify('0'.repeat(32))).statusCode).toBe(204)
  expect((await notify(`${'0'.repeat(32)}-1`)).statusCode).toBe(204)
  expect([await codeOf(id), reads]).toEqual(['000.200.000', readsBefore])
})

const oversized = (to: string) =>
  tollgate.server.inject({
    method: 'POST',
    url: `/pages/connectors/${to}/notifications`,
    headers: { 'content-type': 'text/plain' },
    payload: '00'.repeat(200 * 1024),
  })

test('a notification that is too long is refused, whether or not the connector exists', async () => {
  const answers = [await oversized('upstream'), await oversized('unknown')]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([413, 413])
})

test('a flood of forged, repeated and oversized notifications is refused, and payments proceed', async () => {
  const reference = references.at(-1) ?? ''
  const warnings = () => tollgate.logged.filter(({ level }) => level === 'warn')
  const [readsBefore, warningsBefore] = [reads, warnings().length]
  tollgate.clock.nowMs += 60_000
  const flood = Array.from({ length: FLOOD }, async (_, index) => {
    if (index % 3 === 0) return notify(reference, { by: 'cd'.repeat(32) })
    return index % 3 === 1 ? notify(reference) : oversized('upstream')
  })
  const id = await pay()
  const statuses = (await Promise.all(flood)).map(({ statusCode }) => statusCode)
  expect(await codeOf(id)).toBe('000.200.000')
  expect(statuses.filter((status) => ![204, 404, 413, 429].includes(status))).toEqual([])
  // Notifications about one payment share the reads that they cause.
  expect(reads - readsBefore).toBeLessThanOrEqual(FLOOD / 3)
  expect(warnings().slice(warningsBefore)).toEqual([
    { level: 'warn', connector: 'upstream', error: 'a notification has a wrong part: key' },
  ])
})
