import { afterAll, expect, test } from 'vitest'
import { sandboxIds, sandboxToken } from '../directory/sandbox.ts'
import { cardWithoutPayment, cardPayment, FORM, summary, testGateway } from '@tollgate/gateway/testing'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, request } = tollgate

const authorization = `Bearer ${sandboxToken}`
const { body: paid } = await send('POST', '/v1/payments', cardPayment())

test.each([
  { request: 'without entityId', url: '', status: 200, code: '000.100.110' },
  { request: 'with its channel', url: `?entityId=${sandboxIds.channel}`, status: 200, code: '000.100.110' },
  { request: 'with its merchant', url: `?entityId=${sandboxIds.merchant}`, status: 200, code: '000.100.110' },
  { request: 'with a trailing slash', url: `/?entityId=${sandboxIds.channel}`, status: 200, code: '000.100.110' },
  { request: 'with an empty entityId', url: '?entityId=', status: 200, code: '000.100.110' },
  { request: 'with an unknown parameter', url: '?x=1', status: 200, code: '000.100.110' },
  { request: 'with another channel', url: `?entityId=${sandboxIds.legacyChannel}`, status: 400, code: '700.400.700' },
  { request: 'with an entity above the token', url: `?entityId=${sandboxIds.psp}`, status: 403, code: '800.900.300' },
  { request: 'with an invalid entityId', url: '?entityId=x', status: 400, code: '200.300.404' },
  {
    request: 'with two entityIds',
    url: `?entityId=${sandboxIds.channel}&entityId=x`,
    status: 400,
    code: '200.300.404',
  },
])('a read of a payment $request is answered with $status', async ({ url, status, code }) => {
  const answer = await request({ method: 'GET', url: `/v1/payments/${paid.id}${url}`, headers: { authorization } })
  expect([answer.status, answer.body.result.code]).toEqual([status, code])
})

test.each([
  { channel: 'legacyChannel', answered: [200, '000.100.110'] },
  { channel: 'channel', answered: [404, '700.400.580'] },
] as const)('a read of a registration as a payment, on $channel: $answered', async ({ channel, answered }) => {
  const entityId = sandboxIds[channel]
  const { body } = await send('POST', '/v1/registrations', cardWithoutPayment({ entityId }))
  const read = await send('GET', `/v1/payments/${body.id}`, { entityId })
  expect(summary(read)).toEqual(answered)
  if (read.status === 200) expect({ ...read.body, ndc: '', timestamp: '' }).toEqual({ ...body, ndc: '', timestamp: '' })
})

test('a content type on a GET is ignored', async () => {
  const headers = { authorization, 'content-type': FORM, connection: 'close' }
  const answer = await request({ method: 'GET', url: `/v1/payments/${paid.id}`, headers })
  expect(answer.status).toBe(200)
})

test.each([
  { fault: 'is unknown', id: '0'.repeat(32) },
  { fault: 'is too short', id: 'x' },
  { fault: 'is a property name of JavaScript objects', id: '__proto__' },
  { fault: 'contains percent-encoding', id: '%C3%A9%00' },
  { fault: 'is too long', id: 'f'.repeat(2000) },
])('an id that $fault is answered with 404', async ({ id }) => {
  const answer = await send('GET', `/v1/payments/${id}`)
  expect(answer.status).toBe(404)
  if (id.length < 128)
    expect(answer.body.result).toEqual({ code: '700.400.580', description: 'cannot find transaction' })
})

test.each<{ request: string; method: 'GET' | 'DELETE'; path: string }>([
  { request: 'a read', method: 'GET', path: `/v1/payments/${paid.id}` },
  { request: 'a deletion', method: 'DELETE', path: `/v1/registrations/${'0'.repeat(32)}` },
])(
  'a valid or invalid secret in the address of $request is refused, and the answer does not contain it',
  async ({ method, path }) => {
    const query = `entityId=${sandboxIds.channel}&card.number=4200000000000000&card.cvv=12&card.cvv=123`
    const { status, body, text } = await request({ method, url: `${path}?${query}`, headers: { authorization } })
    expect(status).toBe(400)
    expect(body.result.parameterErrors).toEqual([
      { name: 'card.number', value: '***', message: 'must not be sent in the address of a request' },
      { name: 'card.cvv', value: '***', message: 'must not be sent in the address of a request' },
    ])
    expect(text).not.toContain('4200000000000000')
  },
)
