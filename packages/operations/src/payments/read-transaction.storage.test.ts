import { afterAll, expect, test } from 'vitest'
import { sandboxIds, sandboxToken } from '../directory/sandbox.ts'
import { cardWithoutPayment, cardPayment, FORM, summary, testGateway } from '@tollgate/gateway/testing'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, request } = tollgate

const authorization = `Bearer ${sandboxToken}`
const { body: paid } = await send('POST', '/v1/payments', cardPayment())

test.each([
  { how: 'without entityId', url: '', status: 200, code: '000.100.110' },
  { how: 'with its channel', url: `?entityId=${sandboxIds.channel}`, status: 200, code: '000.100.110' },
  { how: 'with its merchant', url: `?entityId=${sandboxIds.merchant}`, status: 200, code: '000.100.110' },
  { how: 'with a trailing slash', url: `/?entityId=${sandboxIds.channel}`, status: 200, code: '000.100.110' },
  { how: 'with an empty entityId', url: '?entityId=', status: 200, code: '000.100.110' },
  { how: 'with an unknown parameter', url: '?x=1', status: 200, code: '000.100.110' },
  { how: 'with another channel', url: `?entityId=${sandboxIds.legacyChannel}`, status: 400, code: '700.400.700' },
  { how: 'with an entity above the token', url: `?entityId=${sandboxIds.psp}`, status: 403, code: '800.900.300' },
  { how: 'with an invalid entityId', url: '?entityId=x', status: 400, code: '200.300.404' },
  { how: 'with two entityIds', url: `?entityId=${sandboxIds.channel}&entityId=x`, status: 400, code: '200.300.404' },
])('a payment read $how is answered with $status', async ({ url, status, code }) => {
  const answer = await request({ method: 'GET', url: `/v1/payments/${paid.id}${url}`, headers: { authorization } })
  expect([answer.status, answer.body.result.code]).toEqual([status, code])
})

test.each([
  { channel: 'legacyChannel', answered: [200, '000.100.110'] },
  { channel: 'channel', answered: [404, '700.400.580'] },
] as const)('the id of a registration on $channel: $answered', async ({ channel, answered }) => {
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
  { what: 'unknown', id: '0'.repeat(32) },
  { what: 'too short', id: 'x' },
  { what: 'a property name of JavaScript objects', id: '__proto__' },
  { what: 'with escapes', id: '%C3%A9%00' },
  { what: 'too long', id: 'f'.repeat(2000) },
])('an id that is $what: 404', async ({ id }) => {
  const answer = await send('GET', `/v1/payments/${id}`)
  expect(answer.status).toBe(404)
  if (id.length < 128)
    expect(answer.body.result).toEqual({ code: '700.400.580', description: 'cannot find transaction' })
})

test.each<{ what: string; method: 'GET' | 'DELETE'; path: string }>([
  { what: 'a read', method: 'GET', path: `/v1/payments/${paid.id}` },
  { what: 'a deletion', method: 'DELETE', path: `/v1/registrations/${'0'.repeat(32)}` },
])('a valid or invalid secret in the address of $what is refused and not repeated', async ({ method, path }) => {
  const query = `entityId=${sandboxIds.channel}&card.number=4200000000000000&card.cvv=12&card.cvv=123`
  const { status, body, text } = await request({ method, url: `${path}?${query}`, headers: { authorization } })
  expect(status).toBe(400)
  expect(body.result.parameterErrors).toEqual([
    { name: 'card.number', value: '***', message: 'must not be sent in the address of a request' },
    { name: 'card.cvv', value: '***', message: 'must not be sent in the address of a request' },
  ])
  expect(text).not.toContain('4200000000000000')
})
