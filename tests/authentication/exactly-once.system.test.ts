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

// The tests run two gateways on one storage, with simulated issuers. The acquirer is across a network, and records its
// requests.

const FORM = 'application/x-www-form-urlencoded'
const formOf = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

const environment = {
  url: 'https://issuers.example',
  clock: { now: () => firstGateway.clock.now() },
  random: randomBytes,
}
const issuers = createThreeDSecureSimulator(environment, async (url, body) => {
  const replies = await Promise.all(
    gateways.map((gateway) => post(gateway, new URL(url).pathname, body, 'application/json')),
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
const firstGateway = await testGateway(setup)
const secondGateway = await testGateway(setup)
const gateways = [firstGateway, secondGateway] as const
afterAll(async () => {
  await firstGateway.close()
  await secondGateway.close()
  rmSync(data, { recursive: true })
})

let acquirer = remoteAcquirer()
beforeEach(() => {
  acquirer = remoteAcquirer()
  for (const { gateway } of gateways) Object.assign(gateway.acquirers, { simulator: acquirer.connector })
})

type TestGateway = (typeof gateways)[number]

const post = ({ server }: TestGateway, url: string, payload: string, type: string) =>
  server.inject({ method: 'POST', url, headers: { 'content-type': type }, payload })

/** Starts a payment or a standalone authentication, up to the password prompt of the challenge. */
async function startChallenge(path = '/v1/payments', paymentType = 'PA') {
  const { body } = await firstGateway.send('POST', path, {
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
  const { creq }: { creq: string } = (await post(firstGateway, `${page}/begin`, browser, 'application/json')).json()
  const challengePage = String(await send('/acs/challenge', formOf({ creq }), FORM))
  const acsTransID = /name="acsTransID"[^>]*value="([^"]*)"/.exec(challengePage)?.[1] ?? ''
  return {
    id: String(body.id),
    /** Enters the right password. The issuer sends its result to both gateways. */
    answer: () => send('/acs/answer', formOf({ acsTransID, password: '1234' }), FORM),
    /** Returns from the issuer to a gateway, as the browser does. */
    returnTo: (gateway: TestGateway) => post(gateway, `${page}/result`, '', FORM),
  }
}

const codesOf = (id: string, path = '/v1/payments') =>
  Promise.all(gateways.map(async (gateway) => (await gateway.send('GET', `${path}/${id}`)).body.result.code))

/** Runs the jobs of one gateway that become due, then moves the clocks of both. */
async function fastForward(gateway: TestGateway, ms: number): Promise<void> {
  const toMs = gateway.gateway.clock.now() + ms
  await gateway.gateway.jobs.fastForward(toMs)
  for (const { gateway: peer } of gateways) peer.clock.moveTo(toMs)
}

const rounds = process.env['TOLLGATE_TEST_LONG'] === '1' ? 200 : 1

test('concurrent returns, results and jobs make one authorisation', async () => {
  acquirer.reply = 'answer'
  for (let round = 0; round < rounds; round += 1) {
    const { id, answer, returnTo } = await startChallenge()
    const jobs = gateways.map((gateway) => fastForward(gateway, MINUTE_MS))
    const returns = Array.from({ length: 97 }, async (_, index) => returnTo(index % 2 ? firstGateway : secondGateway))
    await Promise.all([answer(), ...returns, ...jobs])
    // Those that found the authorisation in progress ended before its result.
    await expect.poll(() => codesOf(id)).toEqual(['000.100.110', '000.100.110'])
    expect(acquirer.requests.filter(({ request }) => request.transactionId === id)).toHaveLength(1)
  }
  expect(acquirer.books.size).toBe(rounds)
})

test('returns and results concurrent with the timeout complete a standalone authentication once', async () => {
  const path = '/v1/threeDSecure'
  const commit = vi.spyOn(setup.storage, 'commit')
  for (let round = 0; round < rounds; round += 1) {
    const { id, answer, returnTo } = await startChallenge(path, '3D')
    commit.mockClear()
    const jobs = gateways.map((gateway) => fastForward(gateway, 11 * MINUTE_MS))
    const returns = Array.from({ length: 97 }, async (_, index) => returnTo(index % 2 ? firstGateway : secondGateway))
    await Promise.all([answer(), ...returns, ...jobs])
    const [code, otherCode] = await codesOf(id, path)
    expect([otherCode, ['000.000.000', '100.380.501'].includes(code)]).toEqual([code, true])
    const units = commit.mock.calls.map(async ([{ compareAndSets = [] }], index) => {
      const isEnd = compareAndSets.some(({ table, from }) => table === 'payment_transaction' && from.id === id)
      return isEnd && (await commit.mock.results[index]?.value)?.kind === 'committed'
    })
    expect((await Promise.all(units)).filter(Boolean)).toHaveLength(1)
    expect((await setup.storage.account(id))?.sealed).toBeNull()
  }
  commit.mockRestore()
})

test('an authorisation request in progress is not reversed, even if its payment began minutes before', async () => {
  const { id, answer, returnTo } = await startChallenge()
  await fastForward(firstGateway, 5 * MINUTE_MS)
  await answer()
  const returns = returnTo(firstGateway)
  const request = await acquirer.nthRequest(0)
  await fastForward(secondGateway, 1_000)
  expect(acquirer.reversalRequests).toEqual([])
  request.answer()
  await returns
  expect(await codesOf(id)).toEqual(['000.100.110', '000.100.110'])
})

test('if the 3-D Secure session expires during the authorisation, the acquirer’s answer counts', async () => {
  const { id, answer, returnTo } = await startChallenge()
  await fastForward(firstGateway, 10.5 * MINUTE_MS)
  await answer()
  const returns = returnTo(firstGateway)
  const request = await acquirer.nthRequest(0)
  await fastForward(secondGateway, 0.75 * MINUTE_MS)
  expect((await codesOf(id))[0]).toBe('900.100.300')
  request.answer()
  await returns
  expect(await codesOf(id)).toEqual(['000.100.110', '000.100.110'])
  expect([acquirer.requests.length, acquirer.reversalRequests]).toEqual([1, []])
})

test('a payment with a risk check gets the acquirer’s answer after the authentication', async () => {
  const rules = [{ name: 'over 1', when: { kind: 'amount', currency: 'EUR', above: '1.00' }, score: 7 }]
  const { status } = await firstGateway.manage('PUT', `/entities/${sandboxIds.merchant}/risk-rules`, {
    reviewFrom: 8,
    rules,
  })
  expect(status).toBe(200)
  acquirer.reply = 'answer'
  const { id, answer, returnTo } = await startChallenge()
  await answer()
  await returnTo(firstGateway)
  expect(await codesOf(id)).toEqual(['000.100.110', '000.100.110'])
  expect((await firstGateway.send('GET', `/v1/payments/${id}`)).body.risk.score).toBe('7')
  expect(acquirer.reversalRequests).toEqual([])
})
