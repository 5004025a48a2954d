import { afterAll, expect, test } from 'vitest'
import { FORM, formOf, summary, testGateway } from '../../testing/test-gateway.ts'
import { redirectedPaths } from './redirected-paths.ts'
import { routes } from './routes.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { request, server } = tollgate

test.each([
  ['/paymentWidgets.js?checkoutId=A.test', '/v1/paymentWidgets.js?checkoutId=A.test'],
  ['/v2/paymentWidgets.js?checkoutId=A%26b&x=1', '/v1/paymentWidgets.js?checkoutId=A%26b'],
  ['/v3/paymentWidgets.js', '/v1/paymentWidgets.js'],
  ['/resultcodes', '/v1/resultcodes'],
  ['/v2/resultcodes?lang=de', '/v1/resultcodes'],
  ['/v3/resultcodes/', '/v1/resultcodes'],
  ['/openapi', '/openapi.json'],
  ['/v1/openapi.json', '/openapi.json'],
])('%s is redirected to %s', async (url, location) => {
  const { status, headers } = await request({ method: 'GET', url })
  expect([status, headers['location'], headers['access-control-allow-origin']]).toEqual([307, location, '*'])
})

test.each(redirectedPaths)('$from is redirected to an existing path', async ({ from }) => {
  const { headers } = await server.inject({ method: 'GET', url: from })
  expect((await server.inject({ method: 'GET', url: String(headers['location']) })).statusCode).toBe(200)
})

test.each(redirectedPaths)('account data in the query of $from are refused and not passed on', async ({ from }) => {
  const query = 'checkoutId=A.test&card.number=4200000000000000&bankAccount.holder=Jane'
  const { status, headers, body, text } = await request({ method: 'GET', url: `${from}?${query}` })
  expect([status, headers['location']]).toEqual([400, undefined])
  expect(body.result.parameterErrors.map(({ name }: { name: string }) => name)).toEqual([
    'card.number',
    'bankAccount.holder',
  ])
  expect(text).not.toMatch(/4200000000000000|Jane/)
})

test('a POST is never redirected', async () => {
  const payload = formOf({ 'card.number': '4200000000000000' })
  for (const { from } of redirectedPaths) {
    const answer = await request({ method: 'POST', url: from, headers: { 'content-type': FORM }, payload })
    expect([summary(answer), answer.headers['location']]).toEqual([[405, '200.300.403'], undefined])
  }
  const sent = await request({ method: 'POST', url: '/payments', headers: { 'content-type': FORM }, payload })
  expect([sent.status, sent.headers['location']]).toEqual([404, undefined])
})

test('no path of an operation is redirected', () => {
  const paths = new Set(routes.map(({ path }) => path))
  expect(redirectedPaths.filter(({ from }) => paths.has(from))).toEqual([])
})
