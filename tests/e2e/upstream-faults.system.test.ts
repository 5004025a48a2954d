import { randomBytes } from 'node:crypto'
import { MINUTE_MS } from '@tollgate/contract'
import { sandboxIds, sandboxToken } from '@tollgate/gateway'
import { cardPayment, createUpstream, createUpstreamExchange, summary, testGateway } from '@tollgate/gateway/testing'
import { freePort } from '@tollgate/storage/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bodyOf } from '../support/http.ts'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'
import { type DownstreamGateway, startDownstream } from '../support/upstream.ts'
import type { SentRequest } from '../support/upstream-proxy.ts'

// Requests of one gateway to another that are lost, answered wrongly, or interrupted by a kill.

let upstream: GatewayProcess
let tollgate: DownstreamGateway

beforeAll(async () => {
  upstream = await startGateway({ data: temporaryFolder() })
  tollgate = await startDownstream(upstream)
})
beforeEach(() => tollgate.proxy.reset())
afterAll(async () => {
  await tollgate.close()
  await cleanUp()
})

const APPROVED = [200, '000.100.110']

describe('without an answer', () => {
  test('a payment that the upstream has made is found by its reference, and reversed at once', async () => {
    tollgate.proxy.faults.push('answerLost')
    const lost = await tollgate.pay()
    expect(summary(lost)).toEqual([400, '900.100.301'])
    const [first, reversal] = tollgate.posts().slice(-2)
    expect(first && (await tollgate.bookedFor(first))).toEqual([['DB', '92.00', '000.100.110']])
    expect(reversal && (await tollgate.bookedFor(reversal))).toEqual([['RV', '92.00', '000.100.110']])
  })

  test('a payment whose reversal gets no answer either is reversed once', async () => {
    tollgate.proxy.faults.push('answerLost', 'answerLost')
    const lost = await tollgate.pay({ paymentType: 'PA' })
    expect(summary(lost)).toEqual([400, '900.100.300'])
    const reversal = tollgate.lastPost()
    await tollgate.fastForward(MINUTE_MS)
    expect(summary(await tollgate.read(lost.body.id))).toEqual([200, '900.100.301'])
    expect(tollgate.lastPost()).toBe(reversal)
    expect(await tollgate.bookedFor(reversal)).toEqual([['RV', '92.00', '000.100.110']])
  })

  test('a payment that the upstream has declined is a payment without effect', async () => {
    tollgate.proxy.faults.push('answerLost')
    const lost = await tollgate.pay({ 'customParameters[forceResultCode]': '800.100.155' })
    expect(summary(lost)).toEqual([400, '900.100.301'])
    expect(await tollgate.bookedFor(tollgate.lastPost())).toEqual([['DB', '92.00', '800.100.155']])
  })

  test('a payment that is absent counts as reversed only when it can no longer arrive', async () => {
    tollgate.proxy.faults.push('requestLost')
    const lost = await tollgate.pay()
    expect(summary(lost)).toEqual([400, '900.100.300'])
    await tollgate.fastForward(45_000)
    expect(summary(await tollgate.read(lost.body.id))).toEqual([200, '900.100.300'])
    await tollgate.fastForward(MINUTE_MS)
    expect(summary(await tollgate.read(lost.body.id))).toEqual([200, '900.100.301'])
  })

  test('a payment that arrives after the first query is found by a later one, and reversed', async () => {
    tollgate.proxy.faults.push('requestLost')
    const lost = await tollgate.pay()
    expect(summary(lost)).toEqual([400, '900.100.300'])
    const late = tollgate.lastPost()
    const headers = { ...late.headers }
    const arrived = await upstream.client.send({ method: 'POST', path: '/v1/payments', headers, body: late.form })
    expect(bodyOf(arrived).result.code).toBe('000.100.110')
    await tollgate.fastForward(45_000)
    expect(summary(await tollgate.read(lost.body.id))).toEqual([200, '900.100.301'])
    expect(await tollgate.bookedFor(tollgate.lastPost())).toEqual([['RV', '92.00', '000.100.110']])
  })

  test('a request that arrives twice is carried out once', async () => {
    const paid = await tollgate.pay()
    const first = tollgate.lastPost()
    const again = await upstream.client.send({
      method: 'POST',
      path: '/v1/payments',
      headers: { ...first.headers },
      body: first.form,
    })
    expect(bodyOf(again).id).toBe(paid.body.resultDetails.ConnectorTxID1)
    expect(await tollgate.bookedFor(first)).toHaveLength(1)
  })

  test.each(['CP', 'RF'])('a follow-up (%s) that the upstream has made is reported as made', async (type) => {
    const original = await tollgate.pay({ paymentType: type === 'CP' ? 'PA' : 'DB' })
    tollgate.proxy.faults.push('answerLost')
    const followed = await tollgate.followUp(original.body.id, type, '10.00')
    expect(summary(followed)).toEqual(APPROVED)
    expect(await tollgate.bookedFor(tollgate.lastPost())).toEqual([[type, '10.00', '000.100.110']])
    expect((await tollgate.atUpstream(followed))['paymentType']).toBe(type)
  })

  test('a follow-up that has not arrived has failed, and can be sent again', async () => {
    const hold = await tollgate.pay({ paymentType: 'PA' })
    tollgate.proxy.faults.push('requestLost')
    const lost = await tollgate.followUp(hold.body.id, 'CP', '92.00')
    expect(summary(lost)).toEqual([400, '900.100.300'])
    await tollgate.fastForward(3 * MINUTE_MS)
    expect(summary(await tollgate.read(lost.body.id))).toEqual([200, '900.100.301'])
    expect(summary(await tollgate.followUp(hold.body.id, 'CP', '92.00'))).toEqual(APPROVED)
  })

  test('a request that found no connection was not sent', async () => {
    await tollgate.proxy.setListening(false)
    const { status, body } = await tollgate.pay()
    await tollgate.proxy.setListening(true)
    expect([status, body.result.code]).toEqual([400, '900.100.600'])
    expect(body.resultDetails.ExtendedDescription).toBe('The acquirer was not reached: the connection was refused.')
  })
})

describe('an answer of the upstream that is not accepted', () => {
  /** Changes the JSON of answers to posted payments. */
  const changeJson = (change: (json: Record<string, unknown>) => unknown): void => {
    let isFirst = true
    tollgate.proxy.change = (reply, { method }) => {
      if (method !== 'POST' || !isFirst) return reply
      isFirst = false
      return { ...reply, body: JSON.stringify(change(JSON.parse(reply.body))) }
    }
  }

  test.each<[title: string, field: string, change: (json: Record<string, unknown>) => unknown]>([
    ['another amount', 'amount', (json) => ({ ...json, amount: '9.20' })],
    ['another currency', 'currency', (json) => ({ ...json, currency: 'USD' })],
    ['another type', 'paymentType', (json) => ({ ...json, paymentType: 'PA' })],
    ['another reference', 'merchantTransactionId', (json) => ({ ...json, merchantTransactionId: 'order-4711' })],
    ['no id', 'id', (json) => ({ ...json, id: undefined })],
    ['no result', 'body', ({ id }) => ({ id })],
    ['a list', 'body', (json) => [json]],
  ])('%s: the payment is reversed', async (_, field, change) => {
    const before = tollgate.alerts().length
    changeJson(change)
    const { status, body } = await tollgate.pay()
    expect([status, body.result.code]).toEqual([400, '900.100.301'])
    expect(tollgate.alerts().slice(before)).toEqual([['mismatch', body.id, field]])
    expect(await tollgate.bookedFor(tollgate.lastPost())).toEqual([['RV', '92.00', '000.100.110']])
  })

  test('HTML: the payment is reversed', async () => {
    let isFirst = true
    tollgate.proxy.change = (reply) => {
      const isChanged = isFirst
      isFirst = false
      return isChanged ? { ...reply, body: '<!doctype html><title>Maintenance</title>' } : reply
    }
    expect(summary(await tollgate.pay())).toEqual([400, '900.100.301'])
  })

  test('a refusal of the access token: nothing was sent, and the operator is alerted', async () => {
    tollgate.proxy.change = (reply) => ({ ...reply, status: 403, body: '{"result":{"code":"800.900.300"}}' })
    const { status, body } = await tollgate.pay()
    expect([status, body.result.code]).toEqual([400, '900.100.600'])
    expect(tollgate.alerts().at(-1)).toEqual(['notAuthorised', body.id, undefined])
  })
})

test('in live, a payment that the upstream has processed in a test mode fails, and is reversed there', async () => {
  // A gateway in live does not start with an address without TLS: its connector is composed here.
  const target = { baseUrl: tollgate.proxy.url, environment: 'test' } as const
  const account = { entityId: sandboxIds.channel, accessToken: () => sandboxToken, verificationCurrency: 'EUR' }
  const logged: unknown[] = []
  const connector = createUpstream(
    { ...account, ...target, environment: 'live', name: 'upstream' },
    {
      ids: { random: () => randomBytes(16).toString('hex') },
      clock: { now: () => Date.now() },
      log: { error: ({ alert, transactionId }) => void logged.push([alert, transactionId]) },
    },
    createUpstreamExchange(target),
  )
  const live = await testGateway({ connector })
  try {
    const before = tollgate.posts().length
    const { status, body } = await live.send('POST', '/v1/payments', cardPayment())
    expect([status, body.result.code]).toEqual([400, '600.200.700'])
    expect(logged).toEqual([['testMode', body.id]])
    const [payment, reversal] = tollgate.posts().slice(before)
    expect(payment?.form).not.toContain('testMode')
    expect(reversal && (await tollgate.bookedFor(reversal))).toEqual([['RV', '92.00', '000.100.110']])
  } finally {
    await connector.close?.()
    await live.close()
  }
})

describe('a notification of the upstream', () => {
  /** The upstream gets a request that was lost. */
  async function arriveLate({ path, headers, form }: SentRequest): Promise<void> {
    const arrived = await upstream.client.send({ method: 'POST', path, headers, body: form })
    expect(bodyOf(arrived).result.code).toBe('000.100.110')
  }

  test('makes the look-up of a payment without an answer due, which is then reversed', async () => {
    tollgate.proxy.faults.push('requestLost')
    const lost = await tollgate.pay()
    const post = tollgate.lastPost()
    await tollgate.fastForward(1_000)
    await arriveLate(post)
    await tollgate.fastForward(1_000)
    expect(summary(await tollgate.read(lost.body.id))).toEqual([200, '900.100.300'])
    expect(await tollgate.notifyOf(post)).toBe(204)
    await tollgate.fastForward(0)
    expect(summary(await tollgate.read(lost.body.id))).toEqual([200, '900.100.301'])
    expect(await tollgate.bookedFor(tollgate.lastPost())).toEqual([['RV', '92.00', '000.100.110']])
  })

  test('about a payment that was made after its absence was final: it is reversed, once', async () => {
    tollgate.proxy.faults.push('requestLost')
    const lost = await tollgate.pay()
    const post = tollgate.lastPost()
    await tollgate.fastForward(3 * MINUTE_MS)
    expect(summary(await tollgate.read(lost.body.id))).toEqual([200, '900.100.301'])
    await arriveLate(post)
    for (let time = 0; time < 3; time += 1) {
      expect(await tollgate.notifyOf(post)).toBe(204)
      await tollgate.fastForward(0)
    }
    expect(summary(await tollgate.read(lost.body.id))).toEqual([200, '900.100.301'])
    const [reversal, ...others] = tollgate.posts().slice(tollgate.posts().indexOf(post) + 1)
    expect([reversal && (await tollgate.bookedFor(reversal)), others]).toEqual([[['RV', '92.00', '000.100.110']], []])
  })

  test('about a capture that was made after its absence was final: an operator reconciles it', async () => {
    const hold = await tollgate.pay({ paymentType: 'PA' })
    tollgate.proxy.faults.push('requestLost')
    const lost = await tollgate.followUp(hold.body.id, 'CP', '92.00')
    const post = tollgate.lastPost()
    await tollgate.fastForward(3 * MINUTE_MS)
    expect(summary(await tollgate.read(lost.body.id))).toEqual([200, '900.100.301'])
    await arriveLate(post)
    await tollgate.notifyOf(post)
    await tollgate.fastForward(0)
    expect(summary(await tollgate.read(lost.body.id))).toEqual([200, '900.100.301'])
    const error = 'the acquirer reports an approval after it acknowledged the reversal'
    expect(tollgate.logged).toContainEqual(expect.objectContaining({ subject: lost.body.id, error }))
  })

  test('that arrives before the answer does not reverse the payment', async () => {
    tollgate.proxy.hold()
    const posts = tollgate.posts().length
    const paying = tollgate.pay()
    await expect.poll(() => tollgate.proxy.held).toBe(1)
    expect(await tollgate.notifyOf(tollgate.lastPost())).toBe(204)
    await tollgate.fastForward(0)
    tollgate.proxy.reset()
    expect([summary(await paying), tollgate.posts().length]).toEqual([APPROVED, posts + 1])
  })

  test('about a payment that is approved changes nothing, however often it is repeated', async () => {
    const paid = await tollgate.pay()
    const requests = tollgate.proxy.requests.length
    for (let time = 0; time < 3; time += 1) expect(await tollgate.notifyOf(tollgate.lastPost())).toBe(204)
    await tollgate.fastForward(0)
    expect([summary(await tollgate.read(paid.body.id)), tollgate.proxy.requests.length]).toEqual([APPROVED, requests])
  })
})

test('the upstream is killed while it answers: the payment is reversed after its restart', async () => {
  const data = temporaryFolder()
  const port = await freePort()
  let killed = await startGateway({ data, env: { PORT: port, TOLLGATE_MANAGE_PORT: await freePort() } })
  const own = await startDownstream(killed)
  try {
    own.proxy.change = (reply) => {
      killed.signal('SIGKILL')
      own.proxy.change = (unchanged) => unchanged
      return { ...reply, status: 0 }
    }
    const lost = await own.pay()
    expect(summary(lost)).toEqual([400, '900.100.300'])
    killed = await killed.restart()
    await own.fastForward(45_000)
    const found = await own.read(lost.body.id)
    expect(summary(found)).toEqual([200, '900.100.301'])
    expect(own.posts()).toHaveLength(2)
  } finally {
    await own.close()
  }
})
