import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { sandboxToken } from '@tollgate/operations'
import { cardPayment, testGateway, type TestGateway } from '../testing/test-gateway.ts'

let tollgate: TestGateway
const pacedCalls: (readonly [address: string | undefined, weight: number | undefined])[] = []
let waitMs = 0
beforeAll(async () => {
  tollgate = await testGateway()
  const addressPacing = (address: string | undefined, weight?: number) => {
    pacedCalls.push([address, weight])
    return waitMs
  }
  Object.assign(tollgate.gateway, { addressPacing })
})
afterAll(() => tollgate.close())

const status = async (url: string, headers = {}) => (await tollgate.request({ method: 'GET', url, headers })).status

test('documents (by their length), unknown paths and requests without a token are paced by address', async () => {
  waitMs = 1
  expect(await status('/v1/resultcodes')).toBe(200)
  expect(await status('/openapi.json')).toBe(200)
  expect(await status('/nothing')).toBe(404)
  expect(await status('/v1/payments/x')).toBe(401)
  // A document is paced even if the request has a token.
  expect(await status('/openapi.json', { authorization: `Bearer ${sandboxToken}` })).toBe(200)
  expect(pacedCalls.map(([address]) => address)).toEqual(Array.from({ length: 5 }, () => '127.0.0.1'))
  const [resultCodes, openapi, unknown] = pacedCalls.map(([, weight = 0]) => weight)
  expect({ resultCodes, unknown }).toEqual({ resultCodes: 2, unknown: 1 })
  expect(openapi).toBeGreaterThan(10)
})

test('above the longest wait, documents and unknown paths get 429; health checks and payments do not', async () => {
  waitMs = limits.addressWaitMsMax + 1
  const refused = await tollgate.request({ method: 'GET', url: '/v1/resultcodes' })
  expect([refused.status, refused.body.result.code, refused.headers['retry-after']]).toEqual([429, '800.120.100', '2'])
  expect(await status('/nothing')).toBe(429)
  expect(await status('/healthz')).toBe(200)
  expect(await status('/readyz')).toBe(200)
  expect((await tollgate.send('POST', '/v1/payments', cardPayment())).status).toBe(200)
})

test('above the longest wait, management requests with the key are refused only on unknown paths', async () => {
  waitMs = limits.addressWaitMsMax + 1
  expect((await tollgate.manage('GET', '/nothing')).status).toBe(429)
  expect((await tollgate.manage('GET', '/entities')).status).toBe(200)
  waitMs = 0
  expect((await tollgate.manage('GET', '/nothing')).status).toBe(404)
})
