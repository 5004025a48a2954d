import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MINUTE_MS } from '@tollgate/contract'
import { sandboxIds } from '@tollgate/operations'
import { remoteAcquirer, testGateway } from '@tollgate/gateway/testing'
import { createThreeDSecureSimulator, simulatorServer } from '@tollgate/simulators'
import { openMemory } from '@tollgate/storage'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'

// Two processes on one storage, issuers, and an acquirer across a network that counts its requests.

const FORM = 'application/x-www-form-urlencoded'
const formOf = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

const environment = { url: 'https://issuers.example', clock: { now: () => one.clock.now() }, random: randomBytes }
const issuers = createThreeDSecureSimulator(environment, async (url, body) => {
  const replies = await Promise.all(
    both.map((gateway) => post(gateway, new URL(url).pathname, body, 'application/json')),
  )
  return replies.find(({ statusCode }) => statusCode === 200)?.body
})
const issuersServer = simulatorServer([issuers])

const send = async (path: string, body: Uint8Array | string, type: string): Promise<Buffer> => {
  const request = { method: 'POST', url: path, headers: { 'content-type': type }, payload: Buffer.from(body) } as const
  return (await issuersServer.inject(request)).rawPayload
}

const data = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
const setup = {
  storage: openMemory(),
  data,
  env: { TOLLGATE_PUBLIC_URL: 'https://pay.example' },
  directoryServer: { send: (message: Uint8Array) => send('/ds', message, 'application/json') },
}
const one = await testGateway(setup)
const other = await testGateway(setup)
const both = [one, other] as const
afterAll(async () => {
  await one.close()
  await other.close()
  rmSync(data, { recursive: true })
})

let acquirer = remoteAcquirer()
beforeEach(() => {
  acquirer = remoteAcquirer()
  for (const { gateway } of both) Object.assign(gateway.acquirers, { direct: acquirer.connector })
})

type Process = (typeof both)[number]

const post = ({ server }: Process, url: string, payload: string, type: string) =>
  server.inject({ method: 'POST', url, headers: { 'content-type': type }, payload })

/** A shopper at the password prompt of the challenge. */
async function challenged(path = '/v1/payments', paymentType = 'PA') {
  const { body } = await one.send('POST', path, {
    amount: '92.00',
    currency: 'EUR',
    paymentType,
    'card.number': '4200000000000042',
    'card.holder': 'Jane Jones',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    'billing.street1': 'Hauptstr. 1',
    'billing.city': 'Berlin',
    'billing.postcode': '10115',
    'billing.country': 'DE',
    shopperResultUrl: 'https://shop.example/done',
  })
  const page = new URL(body.redirect.url).pathname
  const browser = JSON.stringify({ looked: 'Y', parameters: {} })
  const { creq }: { creq: string } = (await post(one, `${page}/begin`, browser, 'application/json')).json()
  const shown = String(await send('/acs/challenge', formOf({ creq }), FORM))
  const acsTransID = /name="acsTransID"[^>]*value="([^"]*)"/.exec(shown)?.[1] ?? ''
  return {
    id: String(body.id),
    /** The issuer sends its result to both processes. */
    answer: () => send('/acs/answer', formOf({ acsTransID, password: '1234' }), FORM),
    /** The browser returns to one of the processes. */
    returnTo: (gateway: Process) => post(gateway, `${page}/result`, '', FORM),
  }
}

const codesOf = (id: string, path = '/v1/payments') =>
  Promise.all(both.map(async (each) => (await each.send('GET', `${path}/${id}`)).body.result.code))

/** Runs the jobs of one process that become due, then moves the clocks of both. */
async function fastForward(gateway: Process, ms: number): Promise<void> {
  const toMs = gateway.gateway.clock.now() + ms
  await gateway.gateway.jobs.fastForward(toMs)
  for (const each of both) each.gateway.clock.moveTo(toMs)
}

const rounds = process.env['TOLLGATE_TEST_LONG'] === '1' ? 200 : 1

test('a hundred concurrent requests make one authorisation', async () => {
  acquirer.reply = 'answer'
  for (let round = 0; round < rounds; round += 1) {
    const { id, answer, returnTo } = await challenged()
    const jobs = both.map((each) => fastForward(each, MINUTE_MS))
    const returns = Array.from({ length: 97 }, async (_, index) => returnTo(index % 2 ? one : other))
    await Promise.all([answer(), ...returns, ...jobs])
    expect(await codesOf(id)).toEqual(['000.100.110', '000.100.110'])
    expect(acquirer.requests.filter(({ request }) => request.transactionId === id)).toHaveLength(1)
  }
  expect(acquirer.books.size).toBe(rounds)
})

test('a hundred requests after the timeout end a standalone authentication once', async () => {
  const path = '/v1/threeDSecure'
  const commit = vi.spyOn(setup.storage, 'commit')
  for (let round = 0; round < rounds; round += 1) {
    const { id, answer, returnTo } = await challenged(path, '3D')
    commit.mockClear()
    const jobs = both.map((each) => fastForward(each, 11 * MINUTE_MS))
    const returns = Array.from({ length: 97 }, async (_, index) => returnTo(index % 2 ? one : other))
    await Promise.all([answer(), ...returns, ...jobs])
    const [code, otherCode] = await codesOf(id, path)
    expect([otherCode, ['000.000.000', '100.380.501'].includes(code)]).toEqual([code, true])
    const units = commit.mock.calls.map(async ([{ compareAndSets = [] }], index) => {
      const ends = compareAndSets.some(({ table, from }) => table === 'payment_transaction' && from.id === id)
      return ends && (await commit.mock.results[index]?.value)?.kind === 'committed'
    })
    expect((await Promise.all(units)).filter(Boolean)).toHaveLength(1)
    expect((await setup.storage.account(id))?.sealed).toBeNull()
  }
  commit.mockRestore()
})

test('the timeout never ends a payment whose authorisation request is in progress', async () => {
  const { id, answer, returnTo } = await challenged()
  await fastForward(one, 5 * MINUTE_MS)
  await answer()
  const returns = returnTo(one)
  const request = await acquirer.nth(0)
  await fastForward(other, 1_000)
  expect(acquirer.reversalRequests).toEqual([])
  request.answer()
  await returns
  expect(await codesOf(id)).toEqual(['000.100.110', '000.100.110'])
})

test('if the authentication times out during the authorisation, the acquirer’s answer counts', async () => {
  const { id, answer, returnTo } = await challenged()
  await fastForward(one, 10.5 * MINUTE_MS)
  await answer()
  const returns = returnTo(one)
  const request = await acquirer.nth(0)
  await fastForward(other, 0.75 * MINUTE_MS)
  expect((await codesOf(id))[0]).toBe('900.100.300')
  request.answer()
  await returns
  expect(await codesOf(id)).toEqual(['000.100.110', '000.100.110'])
  expect([acquirer.requests.length, acquirer.reversalRequests]).toEqual([1, []])
})

test('a payment with a risk check gets the acquirer’s answer after the authentication', async () => {
  const rules = [{ name: 'over 1', when: { kind: 'amount', currency: 'EUR', above: '1.00' }, score: 7 }]
  const { status } = await one.manage('PUT', `/entities/${sandboxIds.merchant}/risk-rules`, { reviewFrom: 8, rules })
  expect(status).toBe(200)
  acquirer.reply = 'answer'
  const { id, answer, returnTo } = await challenged()
  await answer()
  await returnTo(one)
  expect(await codesOf(id)).toEqual(['000.100.110', '000.100.110'])
  expect((await one.send('GET', `/v1/payments/${id}`)).body.risk.score).toBe('7')
  expect(acquirer.reversalRequests).toEqual([])
})
