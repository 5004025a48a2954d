import { afterAll, describe, expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { sandboxIds, sandboxToken } from '@tollgate/operations'
import { otherMerchant } from '../../testing/other-merchant.ts'
import {
  cardWithoutPayment,
  cardPayment,
  FORM,
  formOf,
  type Parameters,
  summary,
  testGateway,
  type TestRequest,
} from '../../testing/test-gateway.ts'
import { sendUnfinishedBodies } from '../../testing/unfinished-bodies.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { request, manage, clock, logged } = tollgate

const REFUSED = { code: '800.900.300', description: 'invalid authentication information' }

/** Parameters that older clients send instead of the Authorization header and entityId. */
const login = (changes: Parameters = {}): Parameters => ({
  'authentication.userId': sandboxIds.user,
  'authentication.password': 'sandbox',
  'authentication.entityId': sandboxIds.legacyChannel,
  ...changes,
})
const authorization = `Bearer ${sandboxToken}`

const post = (url: string, parameters: Parameters, headers: Parameters = {}, target = tollgate) =>
  target.request({ method: 'POST', url, headers: { 'content-type': FORM, ...headers }, payload: formOf(parameters) })
const sendQuery = (method: 'GET' | 'DELETE', path: string, parameters: Parameters, headers: Parameters = {}) =>
  request({ method, url: `${path}?${formOf(parameters)}`, headers })
const pay = (changes: Parameters = {}, headers: Parameters = {}) =>
  post('/v1/payments', { ...cardPayment(), ...login(), ...changes }, headers)

describe('without an Authorization header, on a legacy channel', () => {
  test('a payment is authorised and captured, and its capture is read and refunded', async () => {
    const authorised = await pay({ paymentType: 'PA' })
    expect(summary(authorised)).toEqual([200, '000.100.110'])
    expect(authorised.body.descriptor).toMatch(/ Sandbox legacy$/)
    const money = { amount: '92', currency: 'EUR' }
    const captured = await post(`/v1/payments/${authorised.body.id}`, { ...login(), ...money, paymentType: 'CP' })
    expect(captured.body).toMatchObject({ referencedId: authorised.body.id, amount: '92.00' })
    expect(summary(await sendQuery('GET', `/v1/payments/${captured.body.id}`, login()))).toEqual([200, '000.100.110'])
    const refunded = await post(`/v1/payments/${captured.body.id}/`, { ...login(), ...money, paymentType: 'RF' })
    expect(summary(refunded)).toEqual([200, '000.100.110'])
  })

  test('a card is stored, pays and is deleted', async () => {
    const { body } = await post('/v1/registrations', { ...cardWithoutPayment(), ...login() })
    const debit = { ...login(), amount: '92', currency: 'EUR', paymentType: 'DB' }
    expect(summary(await post(`/v1/registrations/${body.id}/payments`, debit))).toEqual([200, '000.100.110'])
    expect(summary(await sendQuery('DELETE', `/v1/registrations/${body.id}`, login()))).toEqual([200, '000.100.110'])
  })

  test('the content type of a GET is ignored', async () => {
    const { body } = await pay()
    const headers = { 'content-type': FORM, connection: 'close' }
    expect((await sendQuery('GET', `/v1/payments/${body.id}`, login(), headers)).status).toBe(200)
  })

  test('names of parameters may be escaped, and an empty entityId counts as absent', async () => {
    const escaped = formOf(login()).replaceAll('authentication.', '%61uthentication%2E')
    const payload = `${formOf({ ...cardPayment(), entityId: '' })}&${escaped}`
    const headers = { 'content-type': FORM }
    expect(summary(await request({ method: 'POST', url: '/v1/payments', headers, payload }))).toEqual([
      200,
      '000.100.110',
    ])
  })

  test('invalid parameters of the payment are reported as usual', async () => {
    const { status, body } = await pay({ amount: 'x', paymentType: 'XX' })
    expect([status, body.result.code]).toEqual([400, '200.300.404'])
    expect(body.result.parameterErrors).toEqual([
      expect.objectContaining({ name: 'amount' }),
      { name: 'paymentType', value: 'XX', message: 'must be one of [PA, DB, CD, PA.CP]' },
    ])
  })

  test('an Idempotency-Key of a request with a login is recognised in a request with a token', async () => {
    const key = { 'idempotency-key': 'both ways' }
    const first = await pay({}, key)
    const payment = { ...cardPayment(), entityId: sandboxIds.legacyChannel }
    expect((await post('/v1/payments', payment, { authorization, ...key })).body.id).toBe(first.body.id)
  })

  test('the log contains the entity, and neither user nor password', async () => {
    await pay()
    expect(logged.at(-1)).toMatchObject({ entity: sandboxIds.legacyChannel, code: '000.100.110', status: 200 })
    await pay({ 'authentication.password': 'hush-hush' })
    expect(logged.at(-1)).toEqual({ level: 'info', requestId: expect.any(String), code: REFUSED.code, status: 403 })
    expect(JSON.stringify(logged)).not.toMatch(new RegExp(`hush|"sandbox"|${sandboxIds.user}`))
  })
})

describe('a wrong login', () => {
  const twice = (name: string) => `${formOf({ ...cardPayment(), ...login() })}&${formOf(login({ [name]: 'x' }))}`

  test.each<{ fault: string; changes: Parameters; status: number }>([
    { fault: 'another password', changes: { 'authentication.password': 'Sandbox' }, status: 403 },
    { fault: 'another user', changes: { 'authentication.userId': '0'.repeat(32) }, status: 403 },
    {
      fault: 'user and password in one parameter',
      changes: { 'authentication.userId': `${sandboxIds.user}|sandbox` },
      status: 403,
    },
    { fault: 'a token as the password', changes: { 'authentication.password': sandboxToken }, status: 403 },
    { fault: 'a missing password', changes: { 'authentication.password': '' }, status: 401 },
    { fault: 'a missing user', changes: { 'authentication.userId': undefined }, status: 401 },
    { fault: 'a missing entity', changes: { 'authentication.entityId': undefined }, status: 401 },
    { fault: 'an invalid entity id', changes: { 'authentication.entityId': 'x' }, status: 401 },
    { fault: 'an unknown entity', changes: { 'authentication.entityId': '0'.repeat(32) }, status: 401 },
    { fault: 'an overlong password', changes: { 'authentication.password': 'x'.repeat(100_000) }, status: 401 },
  ])('$fault is answered with $status on every method', async ({ changes, status }) => {
    const answers = [
      await pay(changes),
      await sendQuery('GET', '/v1/payments/x', login(changes)),
      await sendQuery('DELETE', '/v1/registrations/x', login(changes)),
    ]
    for (const answer of answers) {
      expect([answer.status, answer.body.result]).toEqual([status, REFUSED])
      expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined)
    }
  })

  test.each([
    ['authentication.userId', 403],
    ['authentication.password', 403],
    ['authentication.entityId', 401],
  ])('a login with two values of %s, of which the last is wrong, is answered with %i', async (name, status) => {
    const headers = { 'content-type': FORM }
    const answer = await request({ method: 'POST', url: '/v1/payments', headers, payload: twice(name) })
    expect(answer.status).toBe(status)
  })

  test.each(['', 'Bearer', 'Basic eDp5', 'Bearer wrong'])(
    'the Authorization header %j takes precedence over the login',
    async (header) => {
      expect((await pay({}, { authorization: header })).status).toBe(header === 'Bearer wrong' ? 403 : 401)
    },
  )

  test('a login in the query of a POST is ignored', async () => {
    expect((await post(`/v1/payments?${formOf(login())}`, cardPayment())).status).toBe(401)
  })

  test('a login in the body of a DELETE is ignored', async () => {
    const headers = { 'content-type': FORM }
    const answer = await request({ method: 'DELETE', url: '/v1/registrations/x', headers, payload: formOf(login()) })
    expect(answer.status).toBe(401)
  })
})

describe('a login is valid as long as its token', () => {
  const createToken = async (body: object) => {
    const { body: token } = await manage('POST', '/tokens', { entityId: sandboxIds.merchant, ...body })
    const [userId, password] = Buffer.from(token.token, 'base64').toString().split('|')
    return { id: token.id, user: { 'authentication.userId': userId, 'authentication.password': password } }
  }

  test('a login with a revoked token is refused', async () => {
    const { id, user } = await createToken({})
    expect((await pay(user)).status).toBe(200)
    await manage('DELETE', `/tokens/${id}`)
    expect((await pay(user)).status).toBe(403)
  })

  test('a login with an expired token is refused', async () => {
    const { user } = await createToken({ lifetimeSeconds: 60 })
    expect((await pay(user)).status).toBe(200)
    clock.nowMs += 60_000
    expect((await pay(user)).status).toBe(403)
  })
})

describe('the entities of a login', () => {
  test.each([
    { entity: 'a strict channel', entityId: sandboxIds.channel },
    { entity: 'the merchant, who has strict channels', entityId: sandboxIds.merchant },
    { entity: 'the psp', entityId: sandboxIds.psp },
  ])('$entity is answered with 401, even with the right password', async ({ entityId }) => {
    for (const password of ['sandbox', 'x']) {
      const changes = { 'authentication.entityId': entityId, 'authentication.password': password }
      const answers = [await pay(changes), await sendQuery('GET', '/v1/payments/x', login(changes))]
      for (const { status, body } of answers) expect([status, body.result]).toEqual([401, REFUSED])
    }
  })

  test('a merchant with dispatching is accepted while all of its channels are legacy', async () => {
    const { merchant, channel, token } = await otherMerchant(tollgate, { compatibility: 'legacy' })
    const [userId, password] = Buffer.from(token, 'base64').toString().split('|')
    const user = { 'authentication.userId': userId, 'authentication.password': password }
    const payForMerchant = () => pay({ ...user, 'authentication.entityId': merchant })
    expect((await payForMerchant()).status).toBe(401)
    await manage('PATCH', `/entities/${merchant}`, { settings: { dispatching: true } })
    expect(summary(await payForMerchant())).toEqual([200, '000.100.110'])
    expect(summary(await pay({ ...user, 'authentication.entityId': merchant, entityId: channel }))).toEqual([
      200,
      '000.100.110',
    ])
    await manage('POST', '/entities', { kind: 'channel', name: 'Strict', parentId: merchant })
    expect((await payForMerchant()).status).toBe(401)
  })

  test('a channel of another merchant is answered with 403', async () => {
    const { channel } = await otherMerchant(tollgate, { compatibility: 'legacy' })
    expect((await pay({ 'authentication.entityId': channel })).status).toBe(403)
  })

  test('a login gives access to its entity and to no sibling channel', async () => {
    expect((await pay({ entityId: sandboxIds.channel })).status).toBe(403)
    expect((await pay({ entityId: sandboxIds.mastercardChannel })).status).toBe(403)
    expect(summary(await pay({ entityId: sandboxIds.legacyChannel }))).toEqual([200, '000.100.110'])
    const strict = await post('/v1/payments', { ...cardPayment(), entityId: sandboxIds.channel }, { authorization })
    expect(summary(await sendQuery('GET', `/v1/payments/${strict.body.id}`, login()))).toEqual([400, '700.400.700'])
    const url = `/v1/payments/${strict.body.id}`
    expect(summary(await post(url, { ...login(), paymentType: 'RV' }))).toEqual([400, '700.400.700'])
  })
})

describe('with an Authorization header', () => {
  const { 'authentication.entityId': _, ...user } = login()
  const payForEntity = (entityId: string, changes: Parameters = {}) =>
    post('/v1/payments', { ...cardPayment(), 'authentication.entityId': entityId, ...changes }, { authorization })

  test('authentication.entityId replaces entityId on a legacy channel', async () => {
    const paid = await payForEntity(sandboxIds.legacyChannel)
    expect(summary(paid)).toEqual([200, '000.100.110'])
    expect(paid.body.descriptor).toMatch(/ Sandbox legacy$/)
    const query = { 'authentication.entityId': sandboxIds.legacyChannel }
    const url = `/v1/payments/${paid.body.id}`
    expect((await sendQuery('GET', url, query, { authorization })).status).toBe(200)
    const otherChannel = { 'authentication.entityId': sandboxIds.mastercardChannel }
    expect(summary(await sendQuery('GET', url, otherChannel, { authorization }))).toEqual([400, '700.400.700'])
    expect(summary(await post(url, { ...query, paymentType: 'RV' }, { authorization }))).toEqual([200, '000.100.110'])
  })

  test.each([sandboxIds.channel, sandboxIds.merchant, '0'.repeat(32), 'x'])(
    'authentication.entityId is ignored for the entity %s',
    async (entityId) => {
      const { status, body } = await payForEntity(entityId)
      expect([status, body.result.code]).toEqual([400, '200.300.404'])
      expect(body.result.parameterErrors).toEqual([{ name: 'entityId', value: '', message: 'may not be empty' }])
    },
  )

  test('entityId takes precedence over authentication.entityId', async () => {
    const paid = await payForEntity(sandboxIds.legacyChannel, { entityId: sandboxIds.channel })
    expect(paid.body.descriptor).toMatch(/ Sandbox$/)
  })

  test('userId and password are ignored on strict and legacy channels', async () => {
    for (const entityId of [sandboxIds.channel, sandboxIds.legacyChannel]) {
      for (const ignoredLogin of [user, { ...user, 'authentication.password': 'wrong'.repeat(100) }]) {
        const form = { ...cardPayment({ entityId }), ...ignoredLogin }
        expect(summary(await post('/v1/payments', form, { authorization }))).toEqual([200, '000.100.110'])
        const { body } = await post('/v1/payments', form, { authorization })
        const read = await sendQuery('GET', `/v1/payments/${body.id}`, { entityId, ...ignoredLogin }, { authorization })
        expect(summary(read)).toEqual([200, '000.100.110'])
        expect(JSON.stringify([body, read.body])).not.toMatch(/authentication|wrong/)
      }
    }
  })
})

describe('the body of an unauthenticated request', () => {
  const tooLarge = (headers: Parameters): TestRequest => ({
    method: 'POST',
    url: '/v1/payments',
    headers,
    payload: 'x'.repeat(limits.bodyBytesMax + 1),
  })

  test('is read only if it can contain a login', async () => {
    expect((await request(tooLarge({ 'content-type': FORM }))).status).toBe(413)
    for (const type of [undefined, 'application/json', FORM.replace('UTF-8', 'UTF-16')]) {
      expect((await request(tooLarge({ 'content-type': type }))).status).toBe(401)
    }
    expect((await request(tooLarge({ 'content-type': FORM, authorization: 'x' }))).status).toBe(401)
  })

  test('is counted against a budget that is separate from that of authenticated requests', async () => {
    const { server } = tollgate
    await server.listen({ port: 0, host: '127.0.0.1' })
    const [address] = server.addresses()
    const port = typeof address === 'object' ? address.port : 0
    const send = (body: string, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`http://127.0.0.1:${port}/v1/payments`, {
        method: 'POST',
        headers: { 'content-type': FORM, ...headers },
        body,
      })
    const count = limits.unauthenticatedBodiesBytesMax / limits.bodyBytesMax
    const end = await sendUnfinishedBodies(server.server, `Content-Type: ${FORM}\r\n`, count)
    const body = formOf({ ...cardPayment(), ...login() })
    expect((await send(body)).status).toBe(429)
    const paid = await send(formOf(cardPayment({ entityId: sandboxIds.channel })), { authorization })
    expect(paid.status).toBe(200)
    await end()
    expect((await send(body)).status).toBe(200)
  })

  test('is not read if there is no legacy channel', async () => {
    const strict = await testGateway()
    const { entities } = (await strict.manage('GET', '/entities?kind=channel')).body
    for (const { id } of entities) {
      await strict.manage('PATCH', `/entities/${id}`, { settings: { compatibility: 'strict' } })
    }
    expect((await strict.request(tooLarge({ 'content-type': FORM }))).status).toBe(401)
    expect((await post('/v1/payments', { ...cardPayment(), ...login() }, {}, strict)).status).toBe(401)
    await strict.close()
  })
})
