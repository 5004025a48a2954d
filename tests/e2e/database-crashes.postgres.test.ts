import { findPrograms, newDatabase, type PostgresServer, startPostgres } from '@tollgate/storage/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../support/http.ts'
import { type SentRequest, startLoad } from '../support/load.ts'
import { cardPayment, getPayment, post, followUpForm } from '../support/payments.ts'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'
import { expectAnswered, expectRows, rowsOfPostgres } from '../support/durability.ts'

const shopperResultUrl = 'https://shop.example/result'

const roundCount = process.env['TOLLGATE_TEST_LONG'] === '1' ? 50 : 1

let server: PostgresServer

beforeAll(async () => {
  const programs = process.env['TOLLGATE_TEST_DATABASE_PROGRAMS'] ?? findPrograms(process.env['PATH'] ?? '')
  server = await startPostgres(programs ?? '')
})
afterEach(cleanUp)
afterAll(() => server.remove())

const readinessOf = async ({ url }: GatewayProcess) => (await fetch(`${url}/readyz`)).status

test(`${roundCount} crashes of PostgreSQL under load neither lose nor duplicate a payment`, async () => {
  const database = await newDatabase(server.url)
  const gateway = await startGateway({ data: temporaryFolder(), env: { TOLLGATE_DATABASE_URL: database } })
  const readiness = () => readinessOf(gateway)
  const history: SentRequest[] = []
  for (let round = 0; round < roundCount; round += 1) {
    const load = startLoad(gateway, `round-${round}`, 24)
    await load.untilSent(50 + Math.floor(Math.random() * 150))
    await server.crash()
    await expect.poll(readiness).toBe(503)
    await server.start()
    await expect.poll(readiness, { timeout: 20_000 }).toBe(200)
    const countBefore = load.sent.filter(({ answer }) => answer?.status === 200).length
    await expect
      .poll(() => load.sent.filter(({ answer }) => answer?.status === 200).length, { timeout: 20_000 })
      .toBeGreaterThan(countBefore + 50)
    await load.stop()
    history.push(...load.sent)
    expectRows(await rowsOfPostgres(database), history)
  }
  // This check is at the end, because it sends refused requests again.
  await expectAnswered(gateway, history)
  expect(history.filter(({ answer }) => !answer)).toEqual([])
  console.log(`crashes of PostgreSQL: ${roundCount} rounds, ${history.length} requests, all of them answered`)
  expect((await gateway.pay(cardPayment())).status).toBe(200)
  expect(await gateway.stop()).toEqual({ code: 0, signal: null })
}, 3_600_000)

test('requests wait while PostgreSQL restarts, and the gateway reconnects even without a request', async () => {
  const database = await newDatabase(server.url)
  const gateway = await startGateway({ data: temporaryFolder(), env: { TOLLGATE_DATABASE_URL: database } })
  const readiness = () => readinessOf(gateway)
  const payment = bodyOf(await gateway.pay(cardPayment({ paymentType: 'PA' })))
  const { entityId = '', amount = '', currency = '', paymentType = '', ...card } = cardPayment()
  const basket = { entityId, amount, currency, paymentType }
  const registration = bodyOf(await gateway.client.send(post('/v1/registrations', { entityId, ...card })))
  const checkout = bodyOf(await gateway.client.send(post('/v1/checkouts', { ...basket, shopperResultUrl })))
  const charge = {
    ...basket,
    'standingInstruction.source': 'CIT',
    'standingInstruction.mode': 'REPEATED',
    'standingInstruction.type': 'UNSCHEDULED',
  }
  const requests = [
    post('/v1/payments', cardPayment()),
    post('/v1/payments', cardPayment(), { 'idempotency-key': 'during a restart' }),
    post(`/v1/payments/${payment.id}`, followUpForm('CP')),
    post(`/v1/registrations/${registration.id}/payments`, charge),
    post('/v1/checkouts', { ...basket, shopperResultUrl }),
    post(`/v1/checkouts/${checkout.id}/payment`, card),
    getPayment(payment.id),
  ]
  await server.stop()
  const answers = requests.map(async (request) => (await gateway.client.send(request)).status)
  await expect.poll(readiness).toBe(503)
  await server.start()
  expect(await Promise.all(answers)).toEqual(requests.map(() => 200))
  // A balancer sends no request to a gateway that is not ready, so the gateway must reconnect without a request.
  await server.stop()
  await expect.poll(readiness).toBe(503)
  await server.start()
  await expect.poll(readiness, { timeout: 20_000 }).toBe(200)
  expect(await gateway.stop()).toEqual({ code: 0, signal: null })
})
