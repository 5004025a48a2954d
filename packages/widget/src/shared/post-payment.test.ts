import { expect, test } from 'vitest'
import { resultOf } from './post-payment.ts'

const BASE = 'https://pay.test'

test.each([
  [200, '000.000.000', 'done'],
  [200, '000.100.110', 'done'],
  [200, '000.400.110', 'done'],
  [200, '000.400.020', 'done'],
  [200, '000.600.000', 'done'],
  [200, '000.400.030', 'refused'],
  [200, '000.200.000', 'pending'],
  [200, '800.400.500', 'pending'],
  [400, '800.100.155', 'refused'],
  [400, '200.300.404', 'refused'],
  [404, '200.300.404', 'gone'],
  [429, '800.120.100', 'refused'],
  [500, '999.999.999', 'lost'],
  [503, '000.000.000', 'lost'],
  [200, undefined, 'lost'],
] as const)('an answer with the status %i and the code %s has the result %s', (status, code, kind) => {
  expect(resultOf(status, code === undefined ? {} : { result: { code } }, BASE).kind).toBe(kind)
})

test('a refusal lists the invalid parameters', () => {
  const parameterErrors = [{ name: 'card.holder', value: 'x', message: 'must match' }]
  expect(resultOf(400, { result: { code: '200.300.404', parameterErrors } }, BASE).wrong).toEqual(['card.holder'])
})

test.each([
  [{ url: `${BASE}/pages/authentications/1` }, 'GET', true],
  [{ url: `${BASE}/pages/redirects/1` }, 'GET', false],
  [{ url: 'https://pay.test.example/pages/authentications/1' }, 'GET', false],
  [{ url: 'https://bank.test/', parameters: [{ name: 'a', value: 'b' }] }, 'POST', false],
  [{ url: 'https://bank.test/', method: 'GET', parameters: [{ name: 'a', value: 'b' }] }, 'GET', false],
  [{ url: 'https://bank.test/', method: 'DELETE' }, 'GET', false],
] as const)('the redirect %j has the method %s and inFrame %s', (redirect, method, inFrame) => {
  const { redirect: sent } = resultOf(200, { result: { code: '000.200.000' }, redirect }, BASE)
  expect(sent).toMatchObject({ method, inFrame })
})
