import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AcquirerRequest, RemoteConnector } from '@tollgate/connectors'
import { type Route, routeMethods } from '@tollgate/domain'
import { afterAll, describe, expect, test } from 'vitest'
import { generateKeys } from './keys/generate-keys.ts'
import { hostSettings } from './testing/host-settings.ts'
import { otherMerchant } from './testing/other-merchant.ts'
import { cardPayment, cardWithoutPayment, type Parameters, summary, testGateway } from './testing/test-gateway.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-live-'))
const keys = join(folder, 'keys.json')
writeFileSync(keys, generateKeys(), { mode: 0o600 })
const tollgate = await testGateway({
  env: {
    TOLLGATE_ENV: 'live',
    TOLLGATE_KEYS: keys,
    TOLLGATE_MANAGE_KEY: 'a key of my own',
    TOLLGATE_TRUSTED_PROXY: '127.0.0.1',
  },
})
afterAll(async () => {
  await tollgate.close()
  rmSync(folder, { recursive: true })
})
const { gateway, manage } = tollgate
const { channel: entityId, token, merchant } = await otherMerchant(tollgate)

const send = (method: 'GET' | 'POST' | 'DELETE', path: string, parameters: Parameters = {}) =>
  tollgate.send(
    method,
    path,
    { entityId, ...parameters },
    { authorization: `Bearer ${token}`, 'x-forwarded-proto': 'https' },
  )
const pay = (changes: Parameters = {}) => send('POST', '/v1/payments', cardPayment(changes))
const ready = async () => {
  const { status, body } = await tollgate.request({ method: 'GET', url: '/readyz' })
  return [status, body.status]
}

test('without a connector and routes, the gateway is not ready and refuses payments', async () => {
  expect(await ready()).toEqual([503, expect.stringMatching(/^no connector to an acquirer is enabled: /)])
  expect(summary(await pay())).toEqual([400, '600.200.200'])
  expect(Object.keys(gateway.acquirers).filter((name) => name === 'simulator' && gateway.acquirers.simulator)).toEqual(
    [],
  )
  const settings = hostSettings(5000, { addresses: [{ host: 'host.acquirer.example', port: 5000 }], tls: {} })
  const created = await manage('POST', '/connectors', { name: 'acme', kind: 'iso8583', settings })
  expect(created.status).toBe(201)
  expect(await ready()).toEqual([503, expect.stringMatching(/^no channel has routes to a connector: /)])
  const routes = { routes: [{ name: 'all', when: {}, order: 'listed', targets: [{ connector: 'acme' }] }] }
  expect((await manage('PUT', `/entities/${merchant}/routes`, routes)).status).toBe(200)
  expect(await ready()).toEqual([200, 'ready'])
})

test('a route cannot lead to a simulator', async () => {
  const routes = { routes: [{ name: 'all', when: {}, order: 'listed', targets: [{ connector: 'simulator' }] }] }
  expect((await manage('PUT', `/entities/${merchant}/routes`, routes)).status).toBe(400)
})

describe('with an acquirer', () => {
  const sent: AcquirerRequest[] = []
  const connector: RemoteConnector = {
    kind: 'remote',
    name: 'acme',
    async send(request) {
      sent.push(request)
      return {
        status: 'approved',
        code: '000.000.000',
        amountMinor: request.amountMinor,
        details: { ExtendedDescription: 'Approved.', ConnectorTxID1: 'A1', CardholderInitiatedTransactionID: '0123' },
      }
    },
    reverse: async () => ({ kind: 'reversed' }),
  }
  const account = { connector, methods: new Set(routeMethods), enabled: true, isHealthy: true, costs: [] }
  const routes: readonly Route[] = [
    { name: 'all', when: {}, order: 'listed', targets: [{ connector: 'acme', weight: 1 }] },
  ]
  Object.assign(gateway.acquirers, { accounts: { find: () => account, names: () => [] } })
  const connect = () => Object.assign(gateway.directory.channel(entityId) ?? {}, { routes })

  test('the life of a payment has results of the live environment', async () => {
    connect()
    const authorised = await pay({ paymentType: 'PA' })
    expect(summary(authorised)).toEqual([200, '000.000.000'])
    const followUp = (id: string, paymentType: string, amount: string) =>
      send('POST', `/v1/payments/${id}`, { paymentType, amount, currency: 'EUR' })
    const capture = await followUp(authorised.body.id, 'CP', '50.00')
    expect(summary(capture)).toEqual([200, '000.000.000'])
    expect(summary(await followUp(capture.body.id, 'RF', '10.00'))).toEqual([200, '000.000.000'])
    expect(summary(await followUp(authorised.body.id, 'RV', '42.00'))).toEqual([200, '000.000.000'])
    expect(summary(await send('GET', `/v1/payments/${authorised.body.id}`))).toEqual([200, '000.000.000'])
    expect((await send('GET', `/v1/query/${authorised.body.id}`)).status).toBe(200)
    expect(sent.map(({ operation, testMode }) => [operation, testMode])).toEqual([
      ['PA', null],
      ['CP', null],
      ['RF', null],
      ['RV', null],
    ])
  })

  test('registrations are made, changed and charged', async () => {
    connect()
    const { body } = await send('POST', '/v1/registrations', cardWithoutPayment())
    expect(body.result.code).toBe('000.000.000')
    const charge = { amount: '5.00', currency: 'EUR', paymentType: 'DB' }
    const charged = await send('POST', `/v1/registrations/${body.id}/payments`, charge)
    expect(summary(charged)).toEqual([200, '000.000.000'])
    const rebill = { paymentType: 'RB', amount: '5.00', currency: 'EUR' }
    expect(summary(await send('POST', `/v1/payments/${charged.body.id}`, rebill))).toEqual([200, '000.000.000'])
    const update = { 'card.holder': 'Jane Doe', 'card.expiryMonth': '06', 'card.expiryYear': '2035' }
    expect(summary(await send('POST', `/v1/registrations/${body.id}`, update))).toEqual([200, '000.000.000'])
    expect(summary(await send('DELETE', `/v1/registrations/${body.id}`))).toEqual([200, '000.000.000'])
  })

  test('a testMode is refused, whatever the request', async () => {
    connect()
    const { body } = await pay({ paymentType: 'PA' })
    const testMode = 'INTERNAL'
    const requests: readonly (readonly [path: string, form: Parameters])[] = [
      ['/v1/payments', cardPayment({ testMode })],
      ['/v1/payments', cardPayment({ testMode: 'EXTERNAL' })],
      [`/v1/payments/${body.id}`, { paymentType: 'CP', amount: '1.00', currency: 'EUR', testMode }],
      ['/v1/registrations', cardWithoutPayment({ testMode })],
      ['/v1/checkouts', { amount: '1.00', currency: 'EUR', paymentType: 'DB', testMode }],
    ]
    for (const [path, form] of requests) {
      expect([path, ...summary(await send('POST', path, form))]).toEqual([path, 400, '600.200.701'])
    }
  })

  test('test cards and forced results have no effect', async () => {
    connect()
    const forced = { 'customParameters[forceResultCode]': '800.100.152' }
    expect(summary(await pay(forced))).toEqual([200, '000.000.000'])
    expect((await manage('POST', '/clock', { advance: 'P1D' })).status).toBeGreaterThanOrEqual(400)
  })
})
