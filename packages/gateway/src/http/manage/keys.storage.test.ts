import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cardPayment, testGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { sandboxIds } from '@tollgate/operations'
import { rewrap } from '../../keys/rewrap.task.ts'

let tollgate: TestGateway
beforeAll(async () => {
  tollgate = await testGateway()
  for (let count = 0; count < 3; count += 1) await tollgate.send('POST', '/v1/payments', cardPayment())
})
afterAll(() => tollgate.close())

const KEK = expect.stringMatching(/^kek-[0-9a-f]{8}$/)
const FPK = expect.stringMatching(/^fpk-[0-9a-f]{8}$/)
const key = (id: unknown, purpose: string, state: string, records: number) => ({ id, purpose, state, records })
const idsOf = (body: { keys: { id: string; purpose: string }[] }, purpose: string) =>
  body.keys.filter((entry) => entry.purpose === purpose).map(({ id }) => id)

test('keys are listed by id, without key material, with the number of records under each', async () => {
  const { status, body, text } = await tollgate.manage('GET', '/keys')
  expect([status, body]).toEqual([
    200,
    { keys: [key(KEK, 'encryption', 'current', 3), key(FPK, 'fingerprint', 'current', 3)], remaining: 0 },
  ])
  expect(text).not.toMatch(/[0-9a-f]{40}/)
})

test('keys are rotated, by default the encryption key, and an old key is retired once no record needs it', async () => {
  const before = (await tollgate.manage('GET', '/keys')).body
  const [oldKek = ''] = idsOf(before, 'encryption')
  const [oldFpk = ''] = idsOf(before, 'fingerprint')
  const rotated = await tollgate.manage('POST', '/keys/rotate')
  expect([rotated.status, rotated.body.remaining]).toEqual([200, 3])
  const { body } = await tollgate.manage('POST', '/keys/rotate', { purpose: 'fingerprint' })
  await tollgate.send('POST', '/v1/payments', cardPayment())
  const [kek, , fpk] = body.keys.map(({ id }: { id: string }) => id)
  expect([kek, fpk]).not.toContain(oldKek)
  expect((await tollgate.manage('GET', '/keys')).body).toEqual({
    keys: [
      key(kek, 'encryption', 'current', 1),
      key(oldKek, 'encryption', 'previous', 3),
      key(fpk, 'fingerprint', 'current', 1),
      key(oldFpk, 'fingerprint', 'previous', 3),
    ],
    remaining: 3,
  })

  const early = await tollgate.manage('POST', `/keys/${oldKek}/retire`)
  expect([early.status, early.body.error.message]).toEqual([409, expect.stringContaining('3 records still need')])
  const task = rewrap(tollgate.gateway)
  while ((await task.step()) === 'more');
  expect((await tollgate.manage('GET', '/keys')).body.remaining).toBe(0)
  for (const id of [oldKek, oldFpk]) expect((await tollgate.manage('POST', `/keys/${id}/retire`)).status).toBe(200)
  expect((await tollgate.manage('GET', '/keys')).body).toEqual({
    keys: [key(kek, 'encryption', 'current', 4), key(fpk, 'fingerprint', 'current', 4)],
    remaining: 0,
  })
})

describe('wrong requests', () => {
  test.each([
    { fault: 'an unknown key', path: '/keys/kek-0/retire', body: undefined, status: 404 },
    { fault: 'an invalid id', path: '/keys/KEK/retire', body: undefined, status: 400 },
    { fault: 'an unknown purpose', path: '/keys/rotate', body: { purpose: 'token' }, status: 400 },
    { fault: 'a key in the body', path: '/keys/rotate', body: { key: 'f'.repeat(64) }, status: 400 },
  ])('$fault is refused with $status', async ({ path, body, status }) => {
    const answer = await tollgate.manage('POST', path, body)
    expect([answer.status, answer.body.error.status]).toEqual([status, status])
  })

  test('the retirement of the current key is refused with 409', async () => {
    const [kek = ''] = idsOf((await tollgate.manage('GET', '/keys')).body, 'encryption')
    const answer = await tollgate.manage('POST', `/keys/${kek}/retire`)
    expect([answer.status, answer.body.error.message]).toEqual([
      409,
      `${kek} is the current encryption key: rotate it first`,
    ])
  })
})

test('a fingerprint key is not retired while a list contains one of its fingerprints', async () => {
  const rules = (fingerprint: string) => ({
    rules: [{ name: 'blocked', when: { kind: 'list', by: 'fingerprint', values: [fingerprint] }, verdict: 'reject' }],
  })
  const pay = async () => (await tollgate.send('POST', '/v1/payments', cardPayment())).body
  const fingerprintOf = async (id: string) => (await tollgate.manage('GET', `/accounts/${id}`)).body.fingerprint
  const setRules = (fingerprint: string) =>
    tollgate.manage('PUT', `/entities/${sandboxIds.channel}/risk-rules`, rules(fingerprint))
  const { id } = await pay()
  const old = await fingerprintOf(id)
  expect((await setRules(old.toUpperCase())).status).toBe(200)
  const [keyId = ''] = old.split(':')

  await tollgate.manage('POST', '/keys/rotate', { purpose: 'fingerprint' })
  const task = rewrap(tollgate.gateway)
  while ((await task.step()) === 'more');
  const early = await tollgate.manage('POST', `/keys/${keyId}/retire`)
  const message = `risk rules of ${sandboxIds.channel} list fingerprints of ${keyId}: renew them first`
  expect([early.status, early.body.error.message]).toEqual([409, message])
  expect((await pay()).result.code).toBe('100.400.319')

  expect((await setRules(await fingerprintOf(id))).status).toBe(200)
  expect((await tollgate.manage('POST', `/keys/${keyId}/retire`)).status).toBe(200)
  expect((await pay()).result.code).toBe('100.400.319')
  expect((await setRules(old)).status).toBe(400)
})
