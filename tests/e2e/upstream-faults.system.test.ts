import { MINUTE_MS } from '@tollgate/contract'
import { summary } from '@tollgate/gateway/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { bodyOf } from '../support/http.ts'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'
import { type DownstreamGateway, startDownstream } from '../support/upstream.ts'

// Requests of one gateway to another that are lost, answered wrongly, or interrupted by a kill.

let upstream: GatewayProcess
let tollgate: DownstreamGateway

beforeAll(async () => {
  upstream = await startGateway({ data: temporaryFolder() })
  tollgate = await startDownstream(upstream)
})
beforeEach(() => tollgate.reset())
afterAll(async () => {
  await tollgate.close()
  await cleanUp()
})

const APPROVED = [200, '000.100.110']

describe('without an answer', () => {
  test('a payment that the upstream has made is found by its reference, and reversed at once', async () => {
    tollgate.faults.push('answerLost')
    const lost = await tollgate.pay()
    expect(summary(lost)).toEqual([400, '900.100.301'])
    const [first, reversal] = tollgate.posts().slice(-2)
    expect(first && (await tollgate.bookedFor(first))).toEqual([['DB', '92.00', '000.100.110']])
    expect(reversal && (await tollgate.bookedFor(reversal))).toEqual([['RV', '92.00', '000.100.110']])
  })

  test('a payment whose reversal gets no answer either is reversed once', async () => {
    tollgate.faults.push('answerLost', 'answerLost')
    const lost = await tollgate.pay({ paymentType: 'PA' })
    expect(summary(lost)).toEqual([400, '900.100.300'])
    const reversal = tollgate.lastPost()
    await tollgate.fastForward(MINUTE_MS)
    expect(summary(await tollgate.read(lost.body.id))).toEqual([200, '900.100.301'])
    expect(tollgate.lastPost()).toBe(reversal)
    expect(await tollgate.bookedFor(reversal)).toEqual([['RV', '92.00', '000.100.110']])
  })

  test('a payment that the upstream has declined is a payment without effect', async () => {
    tollgate.faults.push('answerLost')
    const lost = await tollgate.pay({ 'customParameters[forceResultCode]': '800.100.155' })
    expect(summary(lost)).toEqual([400, '900.100.301'])
    expect(await tollgate.bookedFor(tollgate.lastPost())).toEqual([['DB', '92.00', '800.100.155']])
  })

  test('a payment that is absent counts as reversed only when it can no longer arrive', async () => {
    tollgate.faults.push('requestLost')
    const lost = await tollgate.pay()
    expect(summary(lost)).toEqual([400, '900.100.300'])
    await tollgate.fastForward(45_000)
    expect(summary(await tollgate.read(lost.body.id))).toEqual([200, '900.100.300'])
    await tollgate.fastForward(MINUTE_MS)
    expect(summary(await tollgate.read(lost.body.id))).toEqual([200, '900.100.301'])
  })

  test('a payment that arrives after the first query is found by a later one, and reversed', async () => {
    tollgate.faults.push('requestLost')
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
    tollgate.faults.push('answerLost')
    const followed = await tollgate.followUp(original.body.id, type, '10.00')
    expect(summary(followed)).toEqual(APPROVED)
    expect(await tollgate.bookedFor(tollgate.lastPost())).toEqual([[type, '10.00', '000.100.110']])
    expect((await tollgate.atUpstream(followed))['paymentType']).toBe(type)
  })

  test('a follow-up that has not arrived has failed, and can be sent again', async () => {
    const hold = await tollgate.pay({ paymentType: 'PA' })
    tollgate.faults.push('requestLost')
    const lost = await tollgate.followUp(hold.body.id, 'CP', '92.00')
    expect(summary(lost)).toEqual([400, '900.100.300'])
    await tollgate.fastForward(3 * MINUTE_MS)
    expect(summary(await tollgate.read(lost.body.id))).toEqual([200, '900.100.301'])
    expect(summary(await tollgate.followUp(hold.body.id, 'CP', '92.00'))).toEqual(APPROVED)
  })

  test('a request that found no connection was not sent', async () => {
    tollgate.faults.push('notConnected')
    const { status, body } = await tollgate.pay()
    expect([status, body.result.code]).toEqual([400, '900.100.600'])
    expect(body.resultDetails.ExtendedDescription).toBe('The acquirer was not reached: the connection was refused.')
  })
})

describe('an answer of the upstream that is not accepted', () => {
  /** Changes the JSON of answers to posted payments. */
  const changeJson = (change: (json: Record<string, unknown>) => unknown): void => {
    let isFirst = true
    tollgate.change = (reply, { method }) => {
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
    tollgate.change = (reply) => {
      const isChanged = isFirst
      isFirst = false
      return isChanged ? { ...reply, body: '<!doctype html><title>Maintenance</title>' } : reply
    }
    expect(summary(await tollgate.pay())).toEqual([400, '900.100.301'])
  })

  test('a refusal of the access token: nothing was sent, and the operator is alerted', async () => {
    tollgate.change = (reply) => ({ ...reply, status: 403, body: '{"result":{"code":"800.900.300"}}' })
    const { status, body } = await tollgate.pay()
    expect([status, body.result.code]).toEqual([400, '900.100.600'])
    expect(tollgate.alerts().at(-1)).toEqual(['notAuthorised', body.id, undefined])
  })
})

describe('in live', () => {
  test('a payment that the upstream has processed in a test mode fails, and is reversed there', async () => {
    const live = await startDownstream(upstream, { environment: 'live' })
    try {
      const { status, body } = await live.pay()
      expect([status, body.result.code]).toEqual([400, '600.200.700'])
      expect(live.alerts()).toEqual([['testMode', body.id, undefined]])
      const [payment, reversal] = live.posts()
      expect(payment?.form).not.toContain('testMode')
      expect(reversal && (await tollgate.bookedFor(reversal))).toEqual([['RV', '92.00', '000.100.110']])
    } finally {
      await live.close()
    }
  })
})

test('the upstream is killed while it answers: the payment is reversed after its restart', async () => {
  const data = temporaryFolder()
  const port = await freePort()
  let killed = await startGateway({ data, env: { PORT: port, TOLLGATE_MANAGE_PORT: await freePort() } })
  const own = await startDownstream(killed)
  try {
    own.change = (reply) => {
      killed.signal('SIGKILL')
      own.change = (unchanged) => unchanged
      return { ...reply, status: 0, body: '', sent: true }
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
