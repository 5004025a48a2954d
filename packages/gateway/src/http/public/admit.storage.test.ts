import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { sandboxIds, sandboxToken } from '@tollgate/operations'
import {
  cardPayment,
  FORM,
  formOf,
  type Parameters,
  type TestRequest,
  testGateway,
} from '../../testing/test-gateway.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { request, send, manage, clock } = tollgate

const REFUSED = { code: '800.900.300', description: 'invalid authentication information' }

/** Some routes that need a token, at least one of every method. */
const routes: readonly Pick<TestRequest, 'method' | 'url'>[] = [
  { method: 'POST', url: '/v1/payments' },
  { method: 'GET', url: '/v1/payments/x' },
  { method: 'POST', url: '/v1/payments/x' },
  { method: 'POST', url: '/v1/registrations' },
  { method: 'POST', url: '/v1/registrations/x/payments' },
  { method: 'DELETE', url: '/v1/registrations/x' },
]

const payment = formOf({ entityId: sandboxIds.channel, ...cardPayment() })
const requestWith = (route: Pick<TestRequest, 'method' | 'url'>, authorization: string | undefined) =>
  request({
    ...route,
    headers: { authorization, 'content-type': FORM },
    ...(route.method === 'POST' && { payload: payment }),
  })

describe.each(routes)('$method $url', (route) => {
  test.each([undefined, '', sandboxToken, `Basic ${sandboxToken}`, 'Bearer', 'Bearer ', `Bearer${sandboxToken}`])(
    'is answered with 401 for the Authorization %j',
    async (authorization) => {
      const answer = await requestWith(route, authorization)
      expect([answer.status, answer.body.result, answer.headers['www-authenticate']]).toEqual([401, REFUSED, 'Bearer'])
    },
  )

  test.each(['x', sandboxToken.slice(1), `${sandboxToken}x`, sandboxToken.toLowerCase(), 'é', 'x'.repeat(9000)])(
    'is answered with 403 for the token %j',
    async (token) => {
      const answer = await requestWith(route, `Bearer ${token}`)
      expect([answer.status, answer.body.result]).toEqual([403, REFUSED])
      expect(answer.headers).not.toHaveProperty('www-authenticate')
    },
  )
})

test.each([`bearer ${sandboxToken}`, `BEARER ${sandboxToken}`, `Bearer  ${sandboxToken} `])(
  'the Authorization %j is accepted: the case of the scheme and additional blanks are ignored',
  async (authorization) => {
    expect((await requestWith({ method: 'POST', url: '/v1/payments' }, authorization)).status).toBe(200)
  },
)

test('a token in the form or the query is ignored', async () => {
  const body = formOf({ entityId: sandboxIds.channel, access_token: sandboxToken, ...cardPayment() })
  const headers = { 'content-type': FORM }
  const url = `/v1/payments?authorization=Bearer+${sandboxToken}`
  expect((await request({ method: 'POST', url, headers, payload: body })).status).toBe(401)
})

describe('tokens', () => {
  const pay = async (token: string) => {
    const { status } = await send('POST', '/v1/payments', cardPayment(), { authorization: `Bearer ${token}` })
    return status
  }
  const createToken = async (body: object = {}) =>
    (await manage('POST', '/tokens', { entityId: sandboxIds.merchant, ...body })).body
  let token: { readonly id: string; readonly token: string }
  beforeEach(async () => {
    token = await createToken()
  })

  test('a new token is valid at once, and existing tokens stay valid', async () => {
    expect([await pay(token.token), await pay(sandboxToken)]).toEqual([200, 200])
  })

  test('a rotated token is valid until the overlap ends, and its successor is valid at once', async () => {
    const { body } = await manage('POST', `/tokens/${token.id}/rotate`, { overlapSeconds: 60 })
    expect([await pay(token.token), await pay(body.token)]).toEqual([200, 200])
    clock.nowMs += 59_999
    expect(await pay(token.token)).toBe(200)
    clock.nowMs += 1
    expect([await pay(token.token), await pay(body.token)]).toEqual([403, 200])
  })

  test('an overlap of zero invalidates the old token at once, even if it was just used', async () => {
    expect(await pay(token.token)).toBe(200)
    const { body } = await manage('POST', `/tokens/${token.id}/rotate`, { overlapSeconds: 0 })
    expect([await pay(token.token), await pay(body.token)]).toEqual([403, 200])
  })

  test('a revoked token is refused from the next request on', async () => {
    expect(await pay(token.token)).toBe(200)
    await manage('DELETE', `/tokens/${token.id}`)
    expect(await pay(token.token)).toBe(403)
  })

  test('a token expires at the end of its lifetime', async () => {
    const { token: short } = await createToken({ lifetimeSeconds: 60 })
    clock.nowMs += 59_999
    expect(await pay(short)).toBe(200)
    clock.nowMs += 1
    expect(await pay(short)).toBe(403)
  })
})

describe('a token reaches its entity and the entities below it', () => {
  const tokenOf = async (entityId: string): Promise<string> =>
    (await manage('POST', '/tokens', { entityId })).body.token
  const summary = async (token: string, entityId: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const { status, body } = await send('POST', '/v1/payments', cardPayment({ entityId }), headers)
    return [status, body.result.code]
  }

  test.each([
    { kind: 'psp', entityId: sandboxIds.psp },
    { kind: 'division', entityId: sandboxIds.division },
    { kind: 'merchant', entityId: sandboxIds.merchant },
    { kind: 'channel', entityId: sandboxIds.channel },
  ])('a token of a $kind reaches the channel', async ({ entityId }) => {
    expect(await summary(await tokenOf(entityId), sandboxIds.channel)).toEqual([200, '000.100.110'])
  })

  test('a token of a channel reaches no other channel and no entity above it', async () => {
    const token = await tokenOf(sandboxIds.channel)
    expect(await summary(token, sandboxIds.legacyChannel)).toEqual([403, '800.900.300'])
    expect(await summary(token, sandboxIds.merchant)).toEqual([403, '800.900.300'])
  })

  test('a token of a channel gets 700.400.700 for payments of another channel of the merchant', async () => {
    const headers = { authorization: `Bearer ${await tokenOf(sandboxIds.channel)}` }
    const { body } = await send('POST', '/v1/payments', cardPayment({ entityId: sandboxIds.legacyChannel }))
    const url = `/v1/payments/${body.id}`
    const answers = [
      await send('GET', url, { entityId: undefined }, headers),
      await send('GET', url, {}, headers),
      await send('POST', url, { paymentType: 'RV' }, headers),
    ]
    expect(answers.map((answer) => [answer.status, answer.body.result.code])).toEqual(
      answers.map(() => [400, '700.400.700']),
    )
  })
})

describe('a payment of a sibling channel', () => {
  test.each<Parameters>([
    { paymentType: 'RV' },
    { paymentType: 'CP', amount: '93.00', currency: 'EUR' },
    { paymentType: 'RF', amount: '0.50' },
    { paymentType: 'RF', amount: 'x' },
    { paymentType: 'DB' },
    { paymentType: 'RV', entityId: undefined },
  ])('reveals no details to a token of another channel that sends %j', async (parameters) => {
    const { body: created } = await manage('POST', '/tokens', { entityId: sandboxIds.channel })
    const sibling = cardPayment({ entityId: sandboxIds.legacyChannel, currency: 'JPY' })
    const { body: paid } = await send('POST', '/v1/payments', sibling)
    const headers = { authorization: `Bearer ${created.token}` }
    const answer = await send('POST', `/v1/payments/${paid.id}`, parameters, headers)
    expect(answer.status).toBe(400)
    expect(answer.text).not.toMatch(/JPY|92\.00|Sandbox legacy/)
  })

  test('a token that reaches both channels gets the details', async () => {
    const { body } = await send('POST', '/v1/payments', cardPayment({ entityId: sandboxIds.legacyChannel }))
    const answer = await send('POST', `/v1/payments/${body.id}`, { paymentType: 'RV' })
    expect([answer.status, answer.body.result.code]).toEqual([400, '700.400.700'])
    expect(answer.body).toMatchObject({ amount: '92.00', currency: 'EUR' })
  })
})

test('documents and health checks need no token', async () => {
  const codes = await request({ method: 'GET', url: '/v1/resultcodes' })
  expect(codes.status).toBe(200)
  expect(codes.body.resultCodes).toContainEqual(REFUSED)
  expect(codes.body).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    buildNumber: expect.any(String),
    timestamp: expect.any(String),
    ndc: expect.stringContaining(codes.body.id),
  })
  expect(codes.body.result).toEqual({ code: '000.000.100', description: 'successful request' })
  const spec = await request({ method: 'GET', url: '/openapi.json' })
  expect([spec.status, spec.body.openapi]).toEqual([200, '3.1.1'])
  expect((await request({ method: 'GET', url: '/healthz' })).body).toEqual({ status: 'ok' })
  expect((await request({ method: 'GET', url: '/readyz' })).body).toEqual({ status: 'ready' })
})
