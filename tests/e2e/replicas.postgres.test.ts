import { newDatabase, removeDatabase } from '@tollgate/storage/testing'
import { sandboxIds } from '@tollgate/gateway'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf, inParallel } from '../support/http.ts'
import { manage } from '../support/manage.ts'
import { cardPayment, post, followUpForm } from '../support/payments.ts'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'

// Two processes on one database act as one gateway. All tests share them; the last test moves their clock.

let database: string
let replicas: [first: GatewayProcess, second: GatewayProcess]

beforeAll(async () => {
  database = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
  const setup = { data: temporaryFolder(), env: { TOLLGATE_DATABASE_URL: database } }
  const first = await startGateway(setup)
  replicas = [first, await startGateway(setup)]
})

afterAll(async () => {
  await cleanUp()
  await removeDatabase(database)
})

test('a payment of one process is captured and read by the other, and is not captured again by the first', async () => {
  const [first, second] = replicas
  const { id } = bodyOf(await first.pay(cardPayment({ paymentType: 'PA' })))
  const captured = await second.client.send(post(`/v1/payments/${id}`, followUpForm('CP', { amount: '92.00' })))
  expect(bodyOf(captured).result.code).toBe('000.100.110')
  const again = await first.client.send(post(`/v1/payments/${id}`, followUpForm('CP', { amount: '92.00' })))
  expect(bodyOf(again).result.code).toBe('700.400.100')
  expect(bodyOf(await second.get(id)).id).toBe(id)
})

test('a hundred concurrent captures at both processes do not exceed the authorised amount', async () => {
  const { id } = bodyOf(await replicas[0].pay(cardPayment({ paymentType: 'PA', amount: '60.00' })))
  const capture = (gateway: GatewayProcess, amount: string) =>
    gateway.client.send(post(`/v1/payments/${id}`, followUpForm('CP', { amount })))
  const captures = Array.from({ length: 50 }, () => replicas.map((gateway) => capture(gateway, '1.00'))).flat()
  const codes = (await Promise.all(captures)).map((answer): string => bodyOf(answer).result.code)
  const capturedCount = codes.filter((code) => code === '000.100.110').length
  const refusals = codes.filter((code) => code !== '000.100.110')
  expect(capturedCount).toBeGreaterThan(0)
  expect(refusals.filter((code) => code !== '700.400.100' && code !== '800.700.100')).toEqual([])
  // A capture that is refused for a version conflict captures nothing: exactly the remaining amount can be captured.
  const remaining = 60 - capturedCount
  expect(bodyOf(await capture(replicas[1], `${remaining + 1}.00`)).result.code).toBe('700.400.100')
  if (remaining > 0) expect(bodyOf(await capture(replicas[1], `${remaining}.00`)).result.code).toBe('000.100.110')
})

test('requests with one Idempotency-Key to both processes make one payment', async () => {
  const indexes = Array.from({ length: 20 }, (_, index) => index)
  await inParallel(indexes, 10, async (index) => {
    const headers = { 'idempotency-key': `key-${index}` }
    const answers = await Promise.all(replicas.map((gateway) => gateway.pay(cardPayment(), headers)))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })
})

test('a token of one process is valid at the other until it is revoked', async () => {
  const [first, second] = replicas
  const { id, token } = await manage<{ id: string; token: string }>(first, 'POST', '/tokens', {
    entityId: sandboxIds.merchant,
  })
  const status = async () => (await second.pay(cardPayment(), { authorization: `Bearer ${token}` })).status
  expect(await status()).toBe(200)
  await manage(first, 'DELETE', `/tokens/${id}`)
  await expect.poll(status).toBe(403)
})

test('a fast-forward at one process moves the clock of the other', async () => {
  const [first, second] = replicas
  const { now } = await manage<{ now: string }>(first, 'POST', '/clock', { advance: 'P3D' })
  const nowOf = async () => Date.parse((await manage<{ now: string }>(second, 'GET', '/clock')).now)
  await expect.poll(nowOf).toBeGreaterThanOrEqual(Date.parse(now))
})
