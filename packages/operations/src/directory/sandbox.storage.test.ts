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
  monthly,
  otherMerchant,
  type Parameters,
  subscriber,
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
const at = (env: Record<string, string>) =>
  testGateway({ storage, data: folder, redirects: bank.connector, env: { TOLLGATE_MANAGE_KEY: KEY, ...env } })

let before: TestGateway
let off: TestGateway
/** Begun while the sandbox was on. */
let begun: Record<'channel' | 'token' | 'checkout' | 'redirect' | 'customer' | 'plan' | 'other', string>

beforeAll(async () => {
  before = await at({})
  const manage = (path: string, body: object) => before.manage('POST', path, body, KEY)
  const prepared = { amount: '9.20', currency: 'EUR', paymentType: 'DB', shopperResultUrl: 'https://shop.example/' }
  const channel = { kind: 'channel', name: 'Mine', parentId: sandboxIds.merchant }
  const customer = await subscriber(before)
  const redirected = await before.send('POST', '/v1/payments', { ...prepared, paymentBrand: 'PAYPAL' })
  begun = {
    channel: (await manage('/entities', channel)).body.id,
    token: (await manage('/tokens', { entityId: sandboxIds.merchant })).body.token,
    checkout: (await before.send('POST', '/v1/checkouts', prepared)).body.id,
    redirect: redirected.body.id,
    customer,
    plan: (await before.send('POST', '/scheduling/v1/schedules', monthly(customer, { 'job.dayOfMonth': '5' }))).body.id,
    other: (await otherMerchant({ ...before, manage: (method, path, body) => before.manage(method, path, body, KEY) }))
      .token,
  }
  off = await at({ HOST: '0.0.0.0' })
})
afterAll(async () => {
  await Promise.all([before.close(), off.close()])
  rmSync(folder, { recursive: true, force: true })
})

const post = (tollgate: TestGateway, url: string, parameters: Parameters, headers: Parameters = {}) =>
  tollgate.request({ method: 'POST', url, headers: { 'content-type': FORM, ...headers }, payload: formOf(parameters) })

describe('data made with the sandbox, served without it', () => {
  test.each([
    ['the published token', () => sandboxToken],
    ['another token of the sandbox merchant', () => begun.token],
  ])('%s is refused', async (_, token) => {
    const answer = await off.send('POST', '/v1/payments', cardPayment(), { authorization: `Bearer ${token()}` })
    expect(summary(answer)).toEqual([403, '800.900.300'])
    const read = await off.send('GET', '/v1/query', {}, { authorization: `Bearer ${token()}` })
    expect(summary(read)).toEqual([403, '800.900.300'])
  })

  test('the published login of older clients is refused', async () => {
    const login = {
      'authentication.userId': sandboxIds.user,
      'authentication.password': 'sandbox',
      'authentication.entityId': sandboxIds.legacyChannel,
    }
    const pay = (tollgate: TestGateway) => post(tollgate, '/v1/payments', { ...cardPayment(), ...login })
    expect(summary(await pay(before))).toEqual([200, '000.100.110'])
    expect(summary(await pay(off))).toEqual([401, '800.900.300'])
    expect(off.gateway.directory.takesLogins()).toBe(false)
  })

  test('a checkout of a sandbox channel is not shown and takes no payment', async () => {
    const shown = async ({ server }: TestGateway) =>
      (await server.inject({ method: 'GET', url: `/pages/checkouts/${begun.checkout}` })).json()
    const pages = [await shown(before), await shown(off)]
    expect(pages.map(({ state, amount }) => [state, amount])).toEqual([
      ['open', '9.20'],
      ['gone', undefined],
    ])
    expect((await post(off, `/v1/checkouts/${begun.checkout}/payment`, cardWithoutPayment())).status).toBe(404)
  })

  test('a shopper who comes back finds no page', async () => {
    const [session] = await storage.sessionsBefore(Number.MAX_SAFE_INTEGER, 9)
    const url = `/pages/return/${session?.id}`
    expect(session?.transaction_id).toBe(begun.redirect)
    const page = (tollgate: TestGateway) => tollgate.server.inject({ method: 'GET', url })
    expect((await page(off)).statusCode).toBe(404)
    expect((await page(before)).statusCode).toBe(303)
  })

  test('a subscription passes over what falls due, and lives on', async () => {
    const { entries } = await off.gateway.jobs.fastForward(Date.parse('2026-05-05T01:00:00Z'))
    const outcomes = entries.filter(({ subjectId }) => subjectId === begun.plan).map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['nothing due; next at 2026-06-05T00:00:00.000Z'])
    expect(await chargesOf(off, begun.customer)).toHaveLength(0)
  })

  test('operators see what is void, and get no token for it', async () => {
    const ask = (method: 'GET' | 'POST', path: string, body?: object) => off.manage(method, path, body, KEY)
    const { entities } = (await ask('GET', '/entities')).body
    const ofSandbox: ReadonlySet<string> = new Set([...Object.values(sandboxIds), begun.channel])
    for (const { id, void: why } of entities) expect(why).toBe(ofSandbox.has(id) ? 'the sandbox is off' : undefined)
    expect((await ask('GET', `/entities/${sandboxIds.channel}`)).body.void).toBe('the sandbox is off')
    const { tokens } = (await ask('GET', '/tokens')).body
    expect(tokens.filter((token: { void?: string }) => token.void !== undefined)).toHaveLength(2)
    const refused = await ask('POST', '/tokens', { entityId: sandboxIds.merchant })
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('void: the sandbox is off')])
    expect((await ask('POST', `/tokens/${sandboxIds.user}/rotate`)).status).toBe(409)
  })

  test('other merchants pay', async () => {
    const channels = off.gateway.directory
      .entities()
      .filter(({ kind, id }) => kind === 'channel' && id !== begun.channel)
    const entityId = channels.find(({ id }) => !off.gateway.directory.isVoid(id))?.id
    const headers = { authorization: `Bearer ${begun.other}` }
    expect(summary(await off.send('POST', '/v1/payments', { ...cardPayment(), entityId }, headers))).toEqual([
      200,
      '000.100.110',
    ])
  })
})

test('with the sandbox on again, its token works again', async () => {
  const on = await at({ HOST: '0.0.0.0', TOLLGATE_SANDBOX: 'on' })
  expect(summary(await on.send('POST', '/v1/payments', cardPayment()))).toEqual([200, '000.100.110'])
  expect((await on.manage('GET', '/entities', undefined, KEY)).text).not.toContain('the sandbox is off')
  await on.close()
})
