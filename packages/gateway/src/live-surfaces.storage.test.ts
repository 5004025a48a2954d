import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RemoteConnector } from '@tollgate/connectors'
import { type ForcedParameter, forcedParameters } from '@tollgate/connectors/testing'
import { type Route, routeMethods } from '@tollgate/domain'
import type { FastifyInstance } from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig, settings } from './config.ts'
import { generateKeys } from './keys/generate-keys.ts'
import { otherMerchant } from './testing/other-merchant.ts'
import {
  cardPayment,
  cardWithoutPayment,
  FORM,
  formOf,
  type Parameters,
  summary,
  testGateway,
} from './testing/test-gateway.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-live-'))
const keys = join(folder, 'keys.json')
writeFileSync(keys, generateKeys(), { mode: 0o600 })
const live = {
  TOLLGATE_ENV: 'live',
  TOLLGATE_KEYS: keys,
  TOLLGATE_MANAGE_KEY: 'a key of my own',
  TOLLGATE_TRUSTED_PROXY: '127.0.0.1',
}

/** Every route that a listener has registered since the call. Fastify publishes each server that it creates. */
function recordRoutes(): { readonly routes: Set<string>; stop(): void } {
  const routes = new Set<string>()
  const record = (message: unknown) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the channel has no types
    const { fastify } = message as { readonly fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => void routes.add(`${String(method)} ${url}`))
  }
  subscribe('fastify.initialization', record)
  return { routes, stop: () => unsubscribe('fastify.initialization', record) }
}

const recorder = recordRoutes()
const tollgate = await testGateway({ env: live })
await tollgate.request({ method: 'GET', url: '/readyz' })
await tollgate.manage('GET', '/clock')
recorder.stop()
afterAll(async () => {
  await tollgate.close()
  rmSync(folder, { recursive: true })
})

/** A route that live refuses: the reason, the status of its answer, and the body of a request that test accepts. */
interface RefusedRoute {
  readonly reason: string
  readonly status: number
  readonly body: object
}

/** Every route of both listeners: whether the live environment serves it. */
const routesInLive: Readonly<Record<string, 'yes' | RefusedRoute>> = {
  'DELETE /manage/v1/bank-entries/:id/assignment': 'yes',
  'DELETE /manage/v1/connectors/:id': 'yes',
  'DELETE /manage/v1/disputes/:id/evidence/:evidenceId': 'yes',
  'DELETE /manage/v1/entities/:id/fee-plans': 'yes',
  'DELETE /manage/v1/entities/:id/merchant-terms': 'yes',
  'DELETE /manage/v1/entities/:id/risk-rules': 'yes',
  'DELETE /manage/v1/entities/:id/routes': 'yes',
  'DELETE /manage/v1/settlement-files/:id/rows/:number/match': 'yes',
  'DELETE /manage/v1/settlement-sources/:id': 'yes',
  'DELETE /manage/v1/sftp-keys/:id': 'yes',
  'DELETE /manage/v1/sftp-targets/:id': 'yes',
  'DELETE /manage/v1/tokens/:id': 'yes',
  'DELETE /manage/v1/webhooks/:id': 'yes',
  'DELETE /scheduling/v1/schedules/:id': 'yes',
  'DELETE /v1/registrations/:id': 'yes',
  'GET /checkouts/:id/payment': 'yes',
  'GET /checkouts/:id/registration': 'yes',
  'GET /healthz': 'yes',
  'GET /manage/v1/accounts/:id': 'yes',
  'GET /manage/v1/analytics': 'yes',
  'GET /manage/v1/bank-entries': 'yes',
  'GET /manage/v1/bank-entries/:id': 'yes',
  'GET /manage/v1/check': 'yes',
  'GET /manage/v1/clearing-batches': 'yes',
  'GET /manage/v1/clearing-batches/:acquirer/:day': 'yes',
  'GET /manage/v1/clock': 'yes',
  'GET /manage/v1/connectors': 'yes',
  'GET /manage/v1/connectors/:id': 'yes',
  'GET /manage/v1/deliveries': 'yes',
  'GET /manage/v1/deliveries/:id': 'yes',
  'GET /manage/v1/disputes': 'yes',
  'GET /manage/v1/disputes/:id': 'yes',
  'GET /manage/v1/disputes/:id/evidence': 'yes',
  'GET /manage/v1/disputes/:id/evidence/:evidenceId': 'yes',
  'GET /manage/v1/entities': 'yes',
  'GET /manage/v1/entities/:id': 'yes',
  'GET /manage/v1/entities/:id/fee-plans': 'yes',
  'GET /manage/v1/entities/:id/merchant-terms': 'yes',
  'GET /manage/v1/entities/:id/risk-rules': 'yes',
  'GET /manage/v1/entities/:id/routes': 'yes',
  'GET /manage/v1/jobs': 'yes',
  'GET /manage/v1/jobs/:id': 'yes',
  'GET /manage/v1/jobs/parked': 'yes',
  'GET /manage/v1/keys': 'yes',
  'GET /manage/v1/ledger/balances': 'yes',
  'GET /manage/v1/ledger/entries': 'yes',
  'GET /manage/v1/payment-page': 'yes',
  'GET /manage/v1/payments/:id': 'yes',
  'GET /manage/v1/payments/:id/attempts': 'yes',
  'GET /manage/v1/payouts': 'yes',
  'GET /manage/v1/payouts/:id': 'yes',
  'GET /manage/v1/payouts/:id/instruction': 'yes',
  'GET /manage/v1/reconciliation-records/:id': 'yes',
  'GET /manage/v1/routes': 'yes',
  'GET /manage/v1/settlement-breaks': 'yes',
  'GET /manage/v1/settlement-files': 'yes',
  'GET /manage/v1/settlement-files/:id': 'yes',
  'GET /manage/v1/settlement-files/:id/rows': 'yes',
  'GET /manage/v1/settlement-sources': 'yes',
  'GET /manage/v1/settlement-sources/:id': 'yes',
  'GET /manage/v1/settlement-sources/:id/files': 'yes',
  'GET /manage/v1/sftp-keys': 'yes',
  'GET /manage/v1/sftp-server': 'yes',
  'GET /manage/v1/sftp-deliveries': 'yes',
  'GET /manage/v1/sftp-deliveries/:id': 'yes',
  'GET /manage/v1/sftp-targets': 'yes',
  'GET /manage/v1/sftp-targets/:id': 'yes',
  'GET /manage/v1/statements/:merchantId/:month': 'yes',
  'GET /manage/v1/tokens': 'yes',
  'GET /manage/v1/totals': 'yes',
  'GET /manage/v1/webhooks': 'yes',
  'GET /manage/v1/webhooks/:id': 'yes',
  'GET /metrics': 'yes',
  'GET /openapi': 'yes',
  'GET /openapi.json': 'yes',
  'GET /pages/assets/*': 'yes',
  'GET /pages/authentications/:id': 'yes',
  'GET /pages/checkouts/:id': 'yes',
  'GET /pages/fields/cvv': 'yes',
  'GET /pages/fields/number': 'yes',
  'GET /pages/notify/:id': 'yes',
  'GET /pages/return/:id': 'yes',
  'GET /paymentWidgets.js': 'yes',
  'GET /readyz': 'yes',
  'GET /resultcodes': 'yes',
  'GET /scheduling/v1/schedules/:id': 'yes',
  'GET /v1/checkouts/:id/payment': 'yes',
  'GET /v1/checkouts/:id/registration': 'yes',
  'GET /v1/openapi.json': 'yes',
  'GET /v1/paymentWidgets.js': 'yes',
  'GET /v1/payments/:id': 'yes',
  'GET /v1/query': 'yes',
  'GET /v1/query/:id': 'yes',
  'GET /v1/registrations/:id': 'yes',
  'GET /v1/resultcodes': 'yes',
  'GET /v1/threeDSecure/:id': 'yes',
  'GET /v2/paymentWidgets.js': 'yes',
  'GET /v2/resultcodes': 'yes',
  'GET /v3/paymentWidgets.js': 'yes',
  'GET /v3/query': 'yes',
  'GET /v3/query/:id': 'yes',
  'GET /reports/v1/reconciliations/aggregations': 'yes',
  'GET /reports/v1/reconciliations/aggregations/:id': 'yes',
  'GET /reports/v2/reconciliations/aggregations': 'yes',
  'GET /reports/v2/reconciliations/aggregations/:id': 'yes',
  'GET /v3/resultcodes': 'yes',
  'PATCH /manage/v1/connectors/:id': 'yes',
  'PATCH /manage/v1/entities/:id': 'yes',
  'PATCH /manage/v1/settlement-sources/:id': 'yes',
  'PATCH /manage/v1/sftp-targets/:id': 'yes',
  'PATCH /manage/v1/webhooks/:id': 'yes',
  'POST /checkouts': 'yes',
  'POST /checkouts/:id': 'yes',
  'POST /checkouts/:id/payment': 'yes',
  'POST /checkouts/:id/registration': 'yes',
  'POST /manage/v1/clearing-batches/:acquirer/:day/compare': 'yes',
  'POST /manage/v1/clock': { reason: 'the clock of live is the machine’s', status: 409, body: { advance: 'P1D' } },
  'POST /manage/v1/connectors': 'yes',
  'POST /manage/v1/connectors/:id/credentials': 'yes',
  'POST /manage/v1/deliveries/:id/park': 'yes',
  'POST /manage/v1/deliveries/:id/retry': 'yes',
  'POST /manage/v1/disputes': 'yes',
  'POST /manage/v1/disputes/:id/accept': 'yes',
  'POST /manage/v1/disputes/:id/escalate': 'yes',
  'POST /manage/v1/disputes/:id/evidence': 'yes',
  'POST /manage/v1/disputes/:id/lose': 'yes',
  'POST /manage/v1/disputes/:id/submit': 'yes',
  'POST /manage/v1/disputes/:id/win': 'yes',
  'POST /manage/v1/entities': 'yes',
  'POST /manage/v1/entities/:id/fee-plans': 'yes',
  'POST /manage/v1/entities/:id/merchant-terms': 'yes',
  'POST /manage/v1/entities/:id/routes/test': 'yes',
  'POST /manage/v1/jobs/:id/close': 'yes',
  'POST /manage/v1/jobs/:id/park': 'yes',
  'POST /manage/v1/jobs/:id/retry': 'yes',
  'POST /manage/v1/keys/:id/retire': 'yes',
  'POST /manage/v1/keys/rotate': 'yes',
  'POST /manage/v1/payouts': 'yes',
  'POST /manage/v1/payouts/:id/cancel': 'yes',
  'POST /manage/v1/settlement-files': 'yes',
  'POST /manage/v1/settlement-files/:id/accept': 'yes',
  'POST /manage/v1/settlement-sources': 'yes',
  'POST /manage/v1/settlement-sources/:id/pull': 'yes',
  'POST /manage/v1/settlement-sources/:id/test': 'yes',
  'POST /manage/v1/sftp-keys': 'yes',
  'POST /manage/v1/sftp-deliveries/:id/repeat': 'yes',
  'POST /manage/v1/sftp-targets': 'yes',
  'POST /manage/v1/sftp-targets/:id/test': 'yes',
  'POST /manage/v1/tokens': 'yes',
  'POST /manage/v1/tokens/:id/rotate': 'yes',
  'POST /manage/v1/webhooks': 'yes',
  'POST /manage/v1/webhooks/:id/keys': 'yes',
  'POST /manage/v1/webhooks/:id/replay': 'yes',
  'POST /manage/v1/webhooks/:id/test': 'yes',
  'POST /pages/authentications/:id/begin': 'yes',
  'POST /pages/authentications/:id/cancel': 'yes',
  'POST /pages/authentications/:id/looked': 'yes',
  'POST /pages/authentications/:id/result': 'yes',
  'POST /pages/authentications/results': 'yes',
  'POST /pages/checkouts/:id/cancel': 'yes',
  'POST /pages/connectors/:id/notifications': 'yes',
  'POST /pages/notify/:id': 'yes',
  'POST /pages/reports': 'yes',
  'POST /scheduling/v1/schedules': 'yes',
  'POST /scheduling/v1/schedules/:id/deschedule': 'yes',
  'POST /scheduling/v1/schedules/:id/reschedule': 'yes',
  'POST /v1/checkouts': 'yes',
  'POST /v1/checkouts/:id': 'yes',
  'POST /v1/checkouts/:id/payment': 'yes',
  'POST /v1/checkouts/:id/registration': 'yes',
  'POST /v1/payments': 'yes',
  'POST /v1/payments/:id': 'yes',
  'POST /v1/registrations': 'yes',
  'POST /v1/registrations/:id': 'yes',
  'POST /v1/registrations/:id/extendlife': 'yes',
  'POST /v1/registrations/:id/payments': 'yes',
  'POST /v1/registrations/:id/threeDSecure': 'yes',
  'POST /v1/risk': 'yes',
  'POST /v1/threeDSecure': 'yes',
  'POST /v2/redShield': 'yes',
  'PUT /manage/v1/bank-entries/:id/assignment': 'yes',
  'PUT /manage/v1/entities/:id/risk-rules': 'yes',
  'PUT /manage/v1/entities/:id/routes': 'yes',
  'PUT /manage/v1/settlement-files/:id/rows/:number/match': 'yes',
}

describe('routes', () => {
  test('the table lists every route of both listeners', () => {
    expect([...recorder.routes].toSorted()).toEqual(Object.keys(routesInLive).toSorted())
  })

  const refused = Object.entries(routesInLive).flatMap(([route, row]) => (row === 'yes' ? [] : [{ route, ...row }]))
  test.each(refused)('live refuses $route: $reason', async ({ route, status, body }) => {
    const path = route.replace('POST /manage/v1', '')
    expect((await tollgate.manage('POST', path, body)).status).toBe(status)
    const ofTest = await testGateway()
    expect((await ofTest.manage('POST', path, body)).status).toBe(200)
    await ofTest.close()
  })
})

/** A setting that live refuses: a value that the test environment accepts, and the reason. */
interface RefusedSetting {
  readonly value: string
  readonly reason: string
}

/** Every setting: whether the live environment accepts it. */
const settingsInLive: Readonly<Record<keyof typeof settings, 'yes' | RefusedSetting>> = {
  port: 'yes',
  host: 'yes',
  managePort: 'yes',
  shopPort: { value: '9', reason: 'the sample shop sells with the published token of the sandbox' },
  simulatorPort: { value: '9', reason: 'simulated banks and issuers approve without money' },
  environment: 'yes',
  data: 'yes',
  settlementFolder: 'yes',
  clearingFolder: 'yes',
  sftpPort: 'yes',
  sftpHostKey: 'yes',
  databaseUrl: 'yes',
  keys: 'yes',
  manageKey: 'yes',
  publicUrl: 'yes',
  simulatorUrl: { value: 'http://127.0.0.1:9', reason: 'simulated banks and issuers approve without money' },
  acquirerPort: { value: '9', reason: 'the test host of the acquirer approves without money' },
  acquirerAddress: { value: '127.0.0.1:9', reason: 'the test host of the acquirer approves without money' },
  tlsCert: 'yes',
  tlsKey: 'yes',
  trustedProxies: 'yes',
  connectorNetworks: 'yes',
  sandbox: { value: 'on', reason: 'the credentials of the sandbox are published' },
  drainDelayMs: 'yes',
  logLevel: 'yes',
  seed: { value: '7', reason: 'ids from a seed can be guessed' },
}

describe('settings', () => {
  const refused = Object.entries(settings).flatMap(([key, { name }]) => {
    const row = new Map(Object.entries(settingsInLive)).get(key)
    return row === undefined || row === 'yes' ? [] : [{ name, ...row }]
  })
  test.each(refused)('live refuses $name: $reason', ({ name, value }) => {
    expect(() => readConfig({ [name]: value })).not.toThrow()
    expect(() => readConfig({ ...live, [name]: value })).toThrow(new RegExp(`^${name} `))
  })
  test('seven settings belong to the test environment', () => expect(refused).toHaveLength(7))
})

test('no connector of the test environment and no simulated directory server exists', () => {
  const { acquirers, issuers } = tollgate.gateway
  expect([acquirers.simulator, acquirers.redirect, acquirers.external, issuers]).toEqual(Array(4).fill(undefined))
})

test('neither the token of the sandbox nor its key of operators is accepted', async () => {
  const { channel: entityId, token } = await otherMerchant(tollgate)
  const ownPayment = cardPayment({ entityId })
  const tls = { 'x-forwarded-proto': 'https' }
  const own = { ...tls, authorization: `Bearer ${token}` }
  expect(summary(await tollgate.send('POST', '/v1/payments', ownPayment, own))).toEqual([400, '600.200.200'])
  expect(summary(await tollgate.send('POST', '/v1/payments', cardPayment(), tls))).toEqual([403, '800.900.300'])
  expect((await tollgate.manage('GET', '/entities', undefined, 'manage-sandbox')).status).toBe(401)
})
test('a testMode is refused by each kind of request, before its references are looked up', async () => {
  const { channel: entityId, token } = await otherMerchant(tollgate)
  const own = { 'x-forwarded-proto': 'https', authorization: `Bearer ${token}` }
  const id = '8a82944a4cc25ebf014cc2c782423202'
  const money = { amount: '5.00', currency: 'EUR' }
  const withoutType = cardPayment({ paymentType: undefined, shopperResultUrl: 'https://shop.example/back' })
  const requests: readonly (readonly [path: string, form: Parameters])[] = [
    ['/v1/payments', cardPayment()],
    [`/v1/payments/${id}`, { ...money, paymentType: 'CP' }],
    ['/v1/threeDSecure', withoutType],
    ['/v1/risk', withoutType],
    ['/v1/checkouts', { ...money, paymentType: 'DB' }],
    ['/v1/registrations', cardWithoutPayment()],
    [`/v1/registrations/${id}/payments`, { ...money, paymentType: 'DB' }],
    ['/scheduling/v1/schedules', { ...money, paymentType: 'DB', registrationId: id, 'job.expression': '0 0 12 * * ?' }],
  ]
  const codeOf = async (path: string, form: Parameters) => {
    const { body } = await tollgate.send('POST', path, { ...form, entityId }, own)
    return [path, body.result.code]
  }
  for (const [path, form] of requests) {
    expect(await codeOf(path, { ...form, testMode: 'INTERNAL' })).toEqual([path, '600.200.701'])
    expect(await codeOf(path, form)).not.toEqual([path, '600.200.701'])
  }
})

test('the update and the submit of a checkout with a testMode are refused', async () => {
  const { channel: entityId, token } = await otherMerchant(tollgate)
  const tls = { 'x-forwarded-proto': 'https' }
  const own = { ...tls, authorization: `Bearer ${token}` }
  const prepared = { entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB' }
  const checkout = await tollgate.send('POST', '/v1/checkouts', prepared, own)
  expect(summary(checkout)).toEqual([200, '000.200.100'])
  const submit = async (headers: Readonly<Record<string, string>>, changes: Parameters) => {
    const { body } = await tollgate.request({
      method: 'POST',
      url: `/v1/checkouts/${checkout.body.id}/payment`,
      headers: { 'content-type': FORM, ...headers },
      payload: formOf({ ...cardWithoutPayment(), ...changes }),
    })
    return [body.result.code, body.result.parameterErrors?.map(({ name }: { name: string }) => name)]
  }
  for (const testMode of ['INTERNAL', 'EXTERNAL']) {
    const update = { entityId, amount: '93.00', testMode }
    expect(summary(await tollgate.send('POST', `/v1/checkouts/${checkout.body.id}`, update, own))[1]).toBe(
      '600.200.701',
    )
    // In every environment, the submit may not contain parameters of the merchant.
    for (const headers of [own, tls]) expect(await submit(headers, { testMode })).toEqual(['200.300.404', ['testMode']])
  }
  expect((await submit(tls, {}))[0]).toBe('600.200.200')
})

test('a registration without a payment is stored, although no connector exists', async () => {
  const { channel: entityId, token } = await otherMerchant(tollgate)
  const own = { 'x-forwarded-proto': 'https', authorization: `Bearer ${token}` }
  const stored = await tollgate.send('POST', '/v1/registrations', cardWithoutPayment({ entityId }), own)
  expect(summary(stored)).toEqual([200, '000.000.000'])
  const charge = { entityId, amount: '5.00', currency: 'EUR', paymentType: 'DB' }
  const charged = await tollgate.send('POST', `/v1/registrations/${stored.body.id}/payments`, charge, own)
  expect(summary(charged)).toEqual([400, '600.200.200'])
})

describe('parameters that only the simulator reads', () => {
  /** Every such parameter: a value that changes an answer in the test environment. */
  const forcedInLive: Readonly<Record<ForcedParameter, Parameters>> = {
    forceResultCode: { 'customParameters[forceResultCode]': '800.100.152' },
    forceAcquirerResponse: { 'customParameters[forceAcquirerResponse]': '05' },
    forceMerchantAdviceCode: {
      'customParameters[forceResultCode]': '800.100.152',
      'customParameters[forceMerchantAdviceCode]': '03',
    },
    forceAvsResponse: { 'customParameters[forceAvsResponse]': 'N' },
    forceCvvResponse: { 'customParameters[forceCvvResponse]': 'N' },
  }
  const details = { ExtendedDescription: 'Approved.' }
  const connector: RemoteConnector = {
    kind: 'remote',
    name: 'acme',
    send: async ({ amountMinor }) => ({ status: 'approved', code: '000.000.000', amountMinor, details }),
    reverse: async () => ({ kind: 'reversed' }),
  }
  const account = { connector, methods: new Set(routeMethods), enabled: true, isHealthy: true, costs: [] }
  const routes: readonly Route[] = [
    { name: 'all', when: {}, order: 'listed', targets: [{ connector: 'acme', weight: 1 }] },
  ]
  const answerOf = ({ body }: { readonly body: Readonly<Record<string, unknown>> }) => ({
    result: body['result'],
    resultDetails: Object(body['resultDetails']).AcquirerResponse,
    advice: Object(body['resultDetails']).MerchantAdviceCode,
  })

  test('the table lists each parameter under its name', () => {
    for (const [parameter, form] of Object.entries(forcedInLive))
      expect(Object.keys(form).at(-1)).toBe(new Map(Object.entries(forcedParameters)).get(parameter))
  })

  test.each(Object.entries(forcedInLive))('%s has no effect in live', async (_, form) => {
    const { channel: entityId, token } = await otherMerchant(tollgate)
    const { acquirers, directory } = tollgate.gateway
    const { accounts } = acquirers
    Object.assign(acquirers, { accounts: { find: () => account, names: () => [] } })
    Object.assign(directory.channel(entityId) ?? {}, { routes })
    const own = { 'x-forwarded-proto': 'https', authorization: `Bearer ${token}` }
    const pay = (changes: Parameters) =>
      tollgate.send('POST', '/v1/payments', cardPayment({ entityId, ...changes }), own)
    const inLive = answerOf(await pay(form))
    expect(inLive).toEqual(answerOf(await pay({})))
    expect(inLive.result).toMatchObject({ code: '000.000.000' })
    Object.assign(acquirers, { accounts })
    const ofTest = await testGateway()
    const before = Object.entries(form).slice(0, -1)
    const payInTest = async (changes: Parameters) =>
      answerOf(await ofTest.send('POST', '/v1/payments', cardPayment(changes)))
    expect(await payInTest(form)).not.toEqual(await payInTest(Object.fromEntries(before)))
    await ofTest.close()
  })
})
