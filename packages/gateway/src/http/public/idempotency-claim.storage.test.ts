import { memoryDisk, openMemory } from '@tollgate/storage'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { sandboxIds } from '@tollgate/operations'
import { otherMerchant } from '../../testing/other-merchant.ts'
import { cardWithoutPayment, cardPayment, type Parameters, testGateway } from '../../testing/test-gateway.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, clock } = tollgate

const pay = (key: string, changes?: Parameters) =>
  send('POST', '/v1/payments', cardPayment(changes), { 'idempotency-key': key })

describe('a repeated request gets the first answer, byte for byte', () => {
  test.each<{ name: string; changes: Parameters; status: number }>([
    { name: 'an approval', changes: {}, status: 200 },
    { name: 'a decline', changes: { 'card.holder': '{800.100.152}' }, status: 400 },
    { name: 'a refusal', changes: { 'card.number': '4200000000000001' }, status: 400 },
    { name: 'a payment that stores a registration', changes: { createRegistration: 'true' }, status: 200 },
  ])('$name', async ({ name, changes, status }) => {
    const first = await pay(name, changes)
    clock.nowMs += 60_000
    const again = await pay(name, changes)
    expect([first.status, again.status]).toEqual([status, status])
    expect(again.text).toBe(first.text)
  })

  test('a repetition may differ in cvv, unknown and empty parameters, their order, and a trailing slash', async () => {
    const first = await pay('order')
    const { entityId, ...reversed } = Object.fromEntries(
      Object.entries({ entityId: sandboxIds.channel, ...cardPayment({ 'card.cvv': '321' }) }).toReversed(),
    )
    const again = await send(
      'POST',
      '/v1/payments/',
      { ...reversed, entityId, unknown: 'x', descriptor: '' },
      {
        'idempotency-key': 'order',
      },
    )
    expect(again.text).toBe(first.text)
  })

  test('a repeated capture is made once', async () => {
    const { body } = await send('POST', '/v1/payments', cardPayment({ paymentType: 'PA' }))
    const capture = () =>
      send(
        'POST',
        `/v1/payments/${body.id}`,
        { paymentType: 'CP', amount: '50.00', currency: 'EUR' },
        { 'idempotency-key': `capture ${body.id}` },
      )
    const [first, again] = [await capture(), await capture()]
    expect([first.status, again.text]).toEqual([200, first.text])
    const rest = await send('POST', `/v1/payments/${body.id}`, { paymentType: 'RV' })
    expect(rest.body.amount).toBe('42.00')
  })

  test('the refusal of an unknown reference is repeated', async () => {
    const refund = () =>
      send(
        'POST',
        `/v1/payments/${'0'.repeat(32)}`,
        { paymentType: 'RF', amount: '1.00', currency: 'EUR' },
        { 'idempotency-key': 'unknown reference' },
      )
    const [first, again] = [await refund(), await refund()]
    expect([first.status, again.status, again.text]).toEqual([404, 404, first.text])
  })

  test('answers about a registration and its deletion are repeated', async () => {
    const register = () => send('POST', '/v1/registrations', cardWithoutPayment(), { 'idempotency-key': 'register' })
    const [stored, storedAgain] = [await register(), await register()]
    expect(storedAgain.text).toBe(stored.text)
    const deregister = () =>
      send('DELETE', `/v1/registrations/${stored.body.id}`, {}, { 'idempotency-key': 'deregister' })
    const [ended, endedAgain] = [await deregister(), await deregister()]
    expect([ended.status, endedAgain.text]).toEqual([200, ended.text])
  })
})

test('50 concurrent requests with one key make one payment', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => pay('fifty')))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
})

test('50 concurrent requests with 50 keys make 50 payments', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => pay(`one of fifty ${index}`)))
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(50)
  expect(answers.every(({ status }) => status === 200)).toBe(true)
})

describe('another request with the same key is an error', () => {
  test.each<{ name: string; changes: Parameters }>([
    { name: 'another amount', changes: { amount: '93.00' } },
    { name: 'another card', changes: { 'card.number': '4111111111111111' } },
    { name: 'an additional parameter', changes: { descriptor: 'Order 7' } },
    { name: 'a missing parameter', changes: { 'card.holder': undefined } },
  ])('$name', async ({ name, changes }) => {
    await pay(name)
    const other = await pay(name, changes)
    expect(other.status).toBe(400)
    expect(other.body.result).toMatchObject({
      code: '200.300.404',
      parameterErrors: [{ name: 'Idempotency-Key', message: expect.stringMatching(/used before/) }],
    })
  })

  test('another path, while the first request is in progress', async () => {
    const first = pay('path')
    const second = send('POST', '/v1/registrations', cardWithoutPayment(), { 'idempotency-key': 'path' })
    expect([(await first).status, (await second).status]).toEqual([200, 400])
  })
})

describe('idempotency keys', () => {
  test('are scoped to an entity', async () => {
    const { channel, token } = await otherMerchant(tollgate)
    const first = await pay('shared')
    const sibling = await pay('shared', { entityId: sandboxIds.legacyChannel })
    const foreign = await send('POST', '/v1/payments', cardPayment({ entityId: channel }), {
      authorization: `Bearer ${token}`,
      'idempotency-key': 'shared',
    })
    expect([first.status, sibling.status, foreign.status]).toEqual([200, 200, 200])
    expect(new Set([first.body.id, sibling.body.id, foreign.body.id]).size).toBe(3)
  })

  test.each(['', ' ', 'x'.repeat(256), 'tab\tinside'])('the key %j is refused', async (key) => {
    const { status, body } = await pay(key)
    expect(status).toBe(400)
    expect(body.result.parameterErrors).toEqual([expect.objectContaining({ name: 'Idempotency-Key', value: '' })])
  })

  test.each(['x', 'x'.repeat(255), 'with spaces inside', '4f9f-…'.replace('…', '~')])(
    'the key %j is accepted',
    async (key) => {
      expect((await pay(key)).status).toBe(200)
    },
  )

  test('an invalid form does not consume the key', async () => {
    expect((await pay('twice', { amount: 'x' })).status).toBe(400)
    expect((await pay('twice')).status).toBe(200)
  })

  test('a failed commit does not consume the key', async () => {
    const memory = openMemory()
    let isBroken = false
    const gateway = await testGateway({
      storage: { ...memory, commit: (unit) => (isBroken ? Promise.reject(new Error('lost')) : memory.commit(unit)) },
    })
    const attempt = () => gateway.send('POST', '/v1/payments', cardPayment(), { 'idempotency-key': 'failing' })
    isBroken = true
    expect((await attempt()).status).toBe(500)
    isBroken = false
    expect((await attempt()).status).toBe(200)
    await gateway.close()
  })
})

test('the second of two processes on one data store gets the answer of the first', async () => {
  const data = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
  const disk = memoryDisk()
  const [firstGateway, secondGateway] = [
    await testGateway({ storage: openMemory(disk), data }),
    await testGateway({ storage: openMemory(disk), data }),
  ]
  const attempt = (gateway: typeof firstGateway) =>
    gateway.send('POST', '/v1/payments', cardPayment(), { 'idempotency-key': 'everywhere' })
  const [first, second] = await Promise.all([attempt(firstGateway), attempt(secondGateway)])
  expect([first.status, second.text]).toEqual([200, first.text])
  await Promise.all([firstGateway.close(), secondGateway.close()])
  rmSync(data, { recursive: true })
})

test('a request that is repeated after a restart gets the first answer', async () => {
  const data = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
  const disk = memoryDisk()
  const attempt = async (changes: Parameters) => {
    const gateway = await testGateway({ storage: openMemory(disk), data })
    const answer = await gateway.send('POST', '/v1/payments', cardPayment(changes), { 'idempotency-key': 'restart' })
    await gateway.close()
    return answer
  }
  const first = await attempt({})
  expect([first.status, (await attempt({})).text]).toEqual([200, first.text])
  expect((await attempt({ amount: '1.00' })).body.result.code).toBe('200.300.404')
  rmSync(data, { recursive: true })
})

const token = { 'tokenAccount.number': '4895370000000007', 'tokenAccount.type': 'NETWORK' }
const giftCard = { paymentBrand: 'HEB_GIFT_CARD', 'giftCard.number': '6006490000999999' }
const terminal = { 'pos.entryMode': 'ICC', 'pos.terminalId': '42' }

test.each<{ name: string; values: readonly [string, string]; otherParameters: Parameters }>([
  { name: 'card.cvv', values: ['123', '124'], otherParameters: {} },
  { name: 'tokenAccount.dtvc', values: ['123', '124'], otherParameters: token },
  { name: 'tokenAccount.cryptogram', values: ['A'.repeat(28), 'B'.repeat(28)], otherParameters: token },
  { name: 'giftCard.pin', values: ['1234', '4321'], otherParameters: giftCard },
  { name: 'pos.encryptedPin.data', values: ['D1A1', 'D2A2'], otherParameters: terminal },
])('$name has no effect on the stored idempotency claim', async ({ name, values, otherParameters }) => {
  const disk = memoryDisk()
  const gateway = await testGateway({ storage: openMemory(disk) })
  const headers = { 'idempotency-key': 'trace' }
  const [first, second] = values
  await gateway.send('POST', '/v1/payments', cardPayment({ ...otherParameters, [name]: first }), headers)
  const [stored] = [...disk.idempotency_key.values()]
  expect(stored?.http_status).toBe(200)
  await gateway.send('POST', '/v1/payments', cardPayment({ ...otherParameters, [name]: second }), headers)
  expect([...disk.idempotency_key.values()]).toEqual([stored])
  expect(stored?.fingerprint).toMatch(/^[0-9a-f]{64}$/)
  expect(stored?.id).toMatch(/^[0-9a-f]{64}$/)
  expect(JSON.stringify(stored)).not.toContain('trace')
  await gateway.close()
})
