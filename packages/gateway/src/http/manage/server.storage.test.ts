import { connect } from 'node:net'
import { openMemory } from '@tollgate/storage'
import type { InjectOptions } from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { sandboxIds, sandboxToken } from '@tollgate/operations'
import { testGateway } from '../../testing/test-gateway.ts'
import { manageServer } from './server.ts'

const tollgate = await testGateway()
const server = manageServer(tollgate.gateway)
afterAll(() => Promise.all([server.close(), tollgate.close()]))

const KEY = 'Bearer manage-sandbox'
const inject = async (options: InjectOptions) => {
  const response = await server.inject(options)
  const body: unknown = response.body === '' ? undefined : JSON.parse(response.body)
  return { status: response.statusCode, headers: response.headers, body }
}

test.each([undefined, '', 'manage-sandbox', 'Bearer', 'Bearer x', `Bearer ${sandboxToken}`, 'Basic manage-sandbox'])(
  'the Authorization %j is answered with 401',
  async (authorization) => {
    const headers = authorization === undefined ? {} : { authorization }
    const answer = await inject({ method: 'GET', url: '/manage/v1/entities', headers })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Bearer')
    expect(answer.body).toEqual({ error: { status: 401, message: expect.stringContaining('management key') } })
  },
)

test('the public API and the management API are on separate listeners', async () => {
  const headers = { authorization: KEY }
  expect((await inject({ method: 'GET', url: '/v1/resultcodes', headers })).status).toBe(404)
  expect((await tollgate.request({ method: 'GET', url: '/manage/v1/entities' })).status).toBe(404)
})

test.each<{ fault: string; options: InjectOptions; status: number }>([
  { fault: 'an unknown path', options: { method: 'GET', url: '/manage/v1/nothing' }, status: 404 },
  { fault: 'an unsupported method', options: { method: 'DELETE', url: '/manage/v1/entities' }, status: 405 },
  {
    fault: 'malformed JSON',
    options: {
      method: 'POST',
      url: '/manage/v1/tokens',
      payload: '{',
      headers: { 'content-type': 'application/json' },
    },
    status: 400,
  },
  {
    fault: 'a form',
    options: {
      method: 'POST',
      url: '/manage/v1/tokens',
      payload: 'a=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    status: 415,
  },
  { fault: 'no body', options: { method: 'POST', url: '/manage/v1/tokens' }, status: 400 },
  {
    fault: 'an oversized body',
    options: {
      method: 'POST',
      url: '/manage/v1/tokens',
      payload: JSON.stringify({ entityId: 'x'.repeat(300_000) }),
      headers: { 'content-type': 'application/json' },
    },
    status: 413,
  },
  {
    fault: 'a member __proto__',
    options: {
      method: 'POST',
      url: '/manage/v1/tokens',
      payload: `{"entityId":"${sandboxIds.merchant}","__proto__":{"lifetimeSeconds":1}}`,
      headers: { 'content-type': 'application/json' },
    },
    status: 400,
  },
])('$fault is refused with $status and a JSON error', async ({ options, status }) => {
  const answer = await inject({ ...options, headers: { ...options.headers, authorization: KEY } })
  expect(answer.status).toBe(status)
  expect(answer.body).toEqual({ error: { status, message: expect.any(String) } })
})

test.each<{ method: 'PUT' | 'POST' | 'PATCH'; url: string; allow: string }>([
  { method: 'PUT', url: '/manage/v1/entities', allow: 'GET, POST' },
  { method: 'PUT', url: '/manage/v1/entities/?kind=psp', allow: 'GET, POST' },
  { method: 'POST', url: `/manage/v1/entities/${sandboxIds.psp}`, allow: 'GET, PATCH' },
  { method: 'PATCH', url: '/manage/v1/tokens/x', allow: 'DELETE' },
  { method: 'PUT', url: '/manage/v1/tokens/x/rotate', allow: 'POST' },
  { method: 'POST', url: '/readyz', allow: 'GET' },
])('$method $url is answered with 405 and the allowed methods', async ({ method, url, allow }) => {
  const answer = await inject({ method, url, headers: { authorization: KEY } })
  expect([answer.status, answer.headers['allow']]).toEqual([405, allow])
  expect(answer.body).toEqual({ error: { status: 405, message: `This path supports only ${allow}.` } })
})

test.each([
  {
    body: { kind: 'shop', name: 'x' },
    message: 'body/kind must be one of psp, division, merchant, channel',
  },
  {
    body: { kind: 'psp', name: 'x', settings: { threeDSecure: 'maybe' } },
    message: 'body/settings/threeDSecure must be one of off, enrolled, always',
  },
  {
    body: { kind: 'psp', name: 'x', colour: 'red' },
    message: 'body must NOT have additional properties (colour)',
  },
  { body: { kind: 'psp' }, message: "body must have required property 'name'" },
])('a schema error describes the fault: $message', async ({ body, message }) => {
  const answer = await tollgate.manage('POST', '/entities', body)
  expect(answer.body).toEqual({ error: { status: 400, message } })
})

test('a schema error of a change lists the valid values', async () => {
  const change = (settings: object) => tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings })
  const messages = [await change({ enabled: 'yes' }), await change({ compatibility: 'old' })].map(
    ({ body }) => body.error.message,
  )
  expect(messages).toEqual([
    'body/settings/enabled must be boolean or must be null',
    'body/settings/compatibility must be one of strict, legacy',
  ])
})

test('a path that accepts no body refuses a body with members', async () => {
  const path = `/webhooks/${'0'.repeat(32)}/keys`
  const { status, body } = await tollgate.manage('POST', path, { key: 'ab' })
  expect([status, body.error.message]).toEqual([400, 'This path accepts no body.'])
  expect((await tollgate.manage('POST', path, {})).status).toBe(404)
})

test('a malformed path is refused with 400 and a JSON error', async () => {
  const answer = await inject({ method: 'GET', url: '/%zz' })
  expect(answer).toMatchObject({ status: 400, body: { error: { status: 400 } } })
})

test.each(['/manage/v1/entities/', '//manage/v1/entities', '/manage//v1///entities//'])(
  'trailing and repeated slashes are ignored: %s',
  async (url) => {
    expect((await inject({ method: 'GET', url, headers: { authorization: KEY } })).status).toBe(200)
    const wrong = await inject({ method: 'DELETE', url, headers: { authorization: KEY } })
    expect([wrong.status, wrong.headers['allow']]).toEqual([405, 'GET, POST'])
  },
)

test('health checks need no key', async () => {
  expect((await inject({ method: 'GET', url: '/healthz' })).body).toEqual({ status: 'ok' })
  expect((await inject({ method: 'GET', url: '/readyz' })).body).toEqual({ status: 'ready' })
})

describe('when the data store fails', async () => {
  const memory = openMemory()
  let isBroken = false
  const failing = await testGateway({
    storage: {
      ...memory,
      commit: (unit) => (isBroken ? Promise.reject(new Error('secret detail')) : memory.commit(unit)),
    },
  })
  afterAll(() => failing.close())

  test('the answer is 500 without details, and nothing is changed', async () => {
    isBroken = true
    const answer = await failing.manage('POST', '/entities', { kind: 'psp', name: 'x' })
    isBroken = false
    expect(answer.status).toBe(500)
    expect(answer.text).not.toContain('secret detail')
    expect((await failing.manage('GET', '/entities?kind=psp')).body.total).toBe(1)
    expect(JSON.stringify(failing.logged)).not.toContain('secret detail')
  })
})

describe('requests that are refused before routing', async () => {
  const url = await server.listen({ port: 0, host: '127.0.0.1' })

  test.each([
    { input: 'input that is not HTTP', bytes: 'hello\r\n\r\n', status: 400 },
    { input: 'headers above the limit', bytes: `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, status: 431 },
    { input: 'CONNECT', bytes: 'CONNECT example.com:443 HTTP/1.1\r\n\r\n', status: 405 },
  ])('$input is answered with $status and a JSON error, and the connection is closed', async ({ bytes, status }) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(bytes)
    const [head = '', body = ''] = Buffer.concat(await socket.toArray())
      .toString()
      .split('\r\n\r\n')
    expect(head.split(' ', 2)).toEqual(['HTTP/1.1', String(status)])
    expect(JSON.parse(body)).toEqual({ error: { status, message: expect.stringMatching(/\.$/) } })
  })
})

test('the log contains the operation, and no values of the request', async () => {
  const { headers } = await tollgate.manage('POST', '/tokens', { entityId: sandboxIds.merchant })
  expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/)
  expect(tollgate.logged.at(-1)).toEqual({
    level: 'info',
    requestId: headers['x-request-id'],
    operation: 'manage POST /manage/v1/tokens',
    status: 201,
  })
})

test('the log contains the id of an existing object, but no id of a refused request', async () => {
  const path = '/manage/v1/entities/:id'
  const requestId = expect.stringMatching(/^[0-9a-f]{32}$/)
  await tollgate.manage('GET', `/entities/${sandboxIds.merchant}`)
  const loggedLine = {
    requestId,
    level: 'info',
    operation: `manage GET ${path}`,
    subject: sandboxIds.merchant,
    status: 200,
  }
  expect(tollgate.logged.at(-1)).toEqual(loggedLine)
  await tollgate.manage('GET', '/entities/4200000000000000')
  expect(tollgate.logged.at(-1)).toEqual({ requestId, level: 'info', operation: `manage GET ${path}`, status: 400 })
})
