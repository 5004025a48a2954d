import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandboxIds, sandboxToken } from './sandbox.ts'
import {
  cardWithoutPayment,
  cardPayment,
  chargesOf,
  FORM,
  formOf,
  monthlyPlan,
  otherMerchant,
  type Parameters,
  createSubscriber,
  summary,
  testBank,
  type TestGateway,
  testGateway,
  testStorage,
} from '@tollgate/gateway/testing'

const KEY = 'a management key'
const folder = mkdtempSync(join(tmpdir(), 'tollgate-sandbox-'))
const storage = await testStorage()
const bank = testBank()
const gatewayWith = (env: Record<string, string>) =>
  testGateway({ storage, data: folder, redirects: bank.connector, env: { TOLLGATE_MANAGE_KEY: KEY, ...env } })

let gatewayOn: TestGateway
let gatewayOff: TestGateway
/** Ids and a token of the sandbox that were created while it was on, and a token of another merchant. */
let created: Record<'channel' | 'token' | 'checkout' | 'redirect' | 'customer' | 'plan' | 'otherToken', string>

beforeAll(async () => {
  gatewayOn = await gatewayWith({})
  const manage = (path: string, body: object) => gatewayOn.manage('POST', path, body, KEY)
  const redirectPayment = {
    amount: '9.20',
    currency: 'EUR',
    paymentType: 'DB',
    shopperResultUrl: 'https://shop.example/',
  }
  const channel = { kind: 'channel', name: 'Mine', parentId: sandboxIds.merchant }
  const customer = await createSubscriber(gatewayOn)
  const redirected = await gatewayOn.send('POST', '/v1/payments', { ...redirectPayment, paymentBrand: 'PAYPAL' })
  created = {
    channel: (await manage('/entities', channel)).body.id,
    token: (await manage('/tokens', { entityId: sandboxIds.merchant })).body.token,
    checkout: (await gatewayOn.send('POST', '/v1/checkouts', redirectPayment)).body.id,
    redirect: redirected.body.id,
    customer,
    plan: (await gatewayOn.send('POST', '/scheduling/v1/schedules', monthlyPlan(customer, { 'job.dayOfMonth': '5' })))
      .body.id,
    otherToken: (
      await otherMerchant({ ...gatewayOn, manage: (method, path, body) => gatewayOn.manage(method, path, body, KEY) })
    ).token,
  }
  gatewayOff = await gatewayWith({ HOST: '0.0.0.0' })
})
afterAll(async () => {
  await Promise.all([gatewayOn.close(), gatewayOff.close()])
  rmSync(folder, { recursive: true, force: true })
})

const post = (tollgate: TestGateway, url: string, parameters: Parameters, headers: Parameters = {}) =>
  tollgate.request({ method: 'POST', url, headers: { 'content-type': FORM, ...headers }, payload: formOf(parameters) })

describe('with the sandbox off', () => {
  test.each([
    ['the published token', () => sandboxToken],
    ['another token of the sandbox merchant', () => created.token],
  ])('%s is refused', async (_, token) => {
    const answer = await gatewayOff.send('POST', '/v1/payments', cardPayment(), { authorization: `Bearer ${token()}` })
    expect(summary(answer)).toEqual([403, '800.900.300'])
    const query = await gatewayOff.send('GET', '/v1/query', {}, { authorization: `Bearer ${token()}` })
    expect(summary(query)).toEqual([403, '800.900.300'])
  })

  test('the published login of older clients is refused', async () => {
    const login = {
      'authentication.userId': sandboxIds.user,
      'authentication.password': 'sandbox',
      'authentication.entityId': sandboxIds.legacyChannel,
    }
    const pay = (tollgate: TestGateway) => post(tollgate, '/v1/payments', { ...cardPayment(), ...login })
    expect(summary(await pay(gatewayOn))).toEqual([200, '000.100.110'])
    expect(summary(await pay(gatewayOff))).toEqual([401, '800.900.300'])
    expect(gatewayOff.gateway.directory.acceptsLogins()).toBe(false)
  })

  test('a checkout of a sandbox channel is not shown and cannot be paid', async () => {
    const widgetCheckout = async ({ server }: TestGateway) =>
      (await server.inject({ method: 'GET', url: `/pages/checkouts/${created.checkout}` })).json()
    const checkouts = [await widgetCheckout(gatewayOn), await widgetCheckout(gatewayOff)]
    expect(checkouts.map(({ state, amount }) => [state, amount])).toEqual([
      ['open', '9.20'],
      ['gone', undefined],
    ])
    expect((await post(gatewayOff, `/v1/checkouts/${created.checkout}/payment`, cardWithoutPayment())).status).toBe(404)
  })

  test('the return page of a sandbox payment does not exist', async () => {
    const [session] = await storage.sessionsBefore(Number.MAX_SAFE_INTEGER, 9)
    const url = `/pages/return/${session?.id}`
    expect(session?.transaction_id).toBe(created.redirect)
    const page = (tollgate: TestGateway) => tollgate.server.inject({ method: 'GET', url })
    expect((await page(gatewayOff)).statusCode).toBe(404)
    expect((await page(gatewayOn)).statusCode).toBe(303)
  })

  test('a plan skips due runs and stays active', async () => {
    const { entries } = await gatewayOff.gateway.jobs.fastForward(Date.parse('2026-05-05T01:00:00Z'))
    const outcomes = entries.filter(({ subjectId }) => subjectId === created.plan).map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['nothing due; next at 2026-06-05T00:00:00.000Z'])
    expect(await chargesOf(gatewayOff, created.customer)).toHaveLength(0)
  })

  test('the management API marks void entities and refuses tokens for them', async () => {
    const manage = (method: 'GET' | 'POST', path: string, body?: object) => gatewayOff.manage(method, path, body, KEY)
    const { entities } = (await manage('GET', '/entities')).body
    const sandboxEntities: ReadonlySet<string> = new Set([...Object.values(sandboxIds), created.channel])
    for (const { id, void: reason } of entities)
      expect(reason).toBe(sandboxEntities.has(id) ? 'the sandbox is off' : undefined)
    expect((await manage('GET', `/entities/${sandboxIds.channel}`)).body.void).toBe('the sandbox is off')
    const { tokens } = (await manage('GET', '/tokens')).body
    expect(tokens.filter((token: { void?: string }) => token.void !== undefined)).toHaveLength(2)
    const refused = await manage('POST', '/tokens', { entityId: sandboxIds.merchant })
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('void: the sandbox is off')])
    expect((await manage('POST', `/tokens/${sandboxIds.user}/rotate`)).status).toBe(409)
  })

  test('other merchants can pay', async () => {
    const channels = gatewayOff.gateway.directory
      .entities()
      .filter(({ kind, id }) => kind === 'channel' && id !== created.channel)
    const entityId = channels.find(({ id }) => !gatewayOff.gateway.directory.isVoid(id))?.id
    const headers = { authorization: `Bearer ${created.otherToken}` }
    expect(summary(await gatewayOff.send('POST', '/v1/payments', { ...cardPayment(), entityId }, headers))).toEqual([
      200,
      '000.100.110',
    ])
  })
})

test('the token of the sandbox is valid again when the sandbox is switched on again', async () => {
  const restarted = await gatewayWith({ HOST: '0.0.0.0', TOLLGATE_SANDBOX: 'on' })
  expect(summary(await restarted.send('POST', '/v1/payments', cardPayment()))).toEqual([200, '000.100.110'])
  expect((await restarted.manage('GET', '/entities', undefined, KEY)).text).not.toContain('the sandbox is off')
  await restarted.close()
})
