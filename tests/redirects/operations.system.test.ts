import { DAY_MS, MINUTE_MS } from '@tollgate/contract'
import { createRedirectConnector, type Exchange } from '@tollgate/connectors'
import { type Parameters, type TestAnswer, testGateway } from '@tollgate/gateway/testing'
import { type RunningSimulators, startSimulators } from '@tollgate/simulators'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const approved = [200, '000.100.110']

/**
 * The outcome of a request to the provider. `lost`: the request is processed, but its answer does not arrive.
 * `failed`: the request is processed, but is answered with 503. `refused`: the request is not sent.
 */
type RequestOutcome = 'answered' | 'lost' | 'failed' | 'refused'

/** The outcomes of the next requests. Further requests have the outcome `answered`. */
const outcomes: RequestOutcome[] = []
/** The requests to the provider: method and path without the id. */
let calls: string[] = []

const exchange: Exchange = async (method, url, body) => {
  const outcome = outcomes.shift() ?? 'answered'
  calls.push(`${method} ${url.replace(/^.*\/bank\//, '').replace(/[0-9a-f]{32}/, ':id')}`)
  if (outcome === 'refused') return { status: 0, body: '', sent: false }
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await answer.text()
  if (outcome === 'lost') return { status: 0, body: '', sent: true }
  return outcome === 'failed'
    ? { status: 503, body: '', sent: true }
    : { status: answer.status, body: text, sent: true }
}

let simulators: RunningSimulators
let tollgate: Awaited<ReturnType<typeof testGateway>>

beforeAll(async () => {
  simulators = await startSimulators({ host: '127.0.0.1', port: 0 })
  tollgate = await testGateway({ redirects: createRedirectConnector(simulators.url, exchange) })
})
afterAll(async () => {
  await tollgate.close()
  await simulators.close()
})
beforeEach(() => {
  outcomes.length = 0
  calls = []
})

const shop = 'https://shop.example/done'
const summary = ({ status, body }: TestAnswer) => [status, body.result.code]
const read = (id: string): Promise<TestAnswer> => tollgate.send('GET', `/v1/payments/${id}`)

const pay = (changes: Parameters): Promise<TestAnswer> =>
  tollgate.send('POST', '/v1/payments', {
    amount: '92.00',
    currency: 'EUR',
    paymentBrand: 'PAYPAL',
    shopperResultUrl: shop,
    ...changes,
  })

const followUp = (id: string, paymentType: string, amount?: string): Promise<TestAnswer> =>
  tollgate.send('POST', `/v1/payments/${id}`, {
    paymentType,
    ...(amount !== undefined && { amount, currency: 'EUR' }),
    ...(paymentType === 'PA' && {
      'standingInstruction.type': 'UNSCHEDULED',
      'standingInstruction.mode': 'REPEATED',
      'standingInstruction.source': 'MIT',
      'standingInstruction.industryPractice': 'INCREMENTAL_AUTH',
    }),
  })

/** Presses "pay" as the shopper, and returns to the gateway. */
async function confirm({ body }: TestAnswer): Promise<string> {
  const form = { method: 'POST', body: new URLSearchParams({ choice: 'pay' }), redirect: 'manual' } as const
  const response = await fetch(body.redirect.url, form)
  const { pathname } = new URL(response.headers.get('location') ?? '')
  await tollgate.server.inject({ method: 'GET', url: pathname })
  calls = []
  return body.id
}

const preauthorise = async (changes: Parameters = {}) => confirm(await pay({ paymentType: 'PA', ...changes }))
const debit = async (changes: Parameters = {}) => confirm(await pay({ paymentType: 'DB', ...changes }))

/** The state of the payment at the provider, and its held, captured, refunded and cancelled amounts. */
async function paymentAtProvider(id: string) {
  const { ConnectorTxID1 } = (await read(id)).body.resultDetails
  const answer = await fetch(`${simulators.url}/bank/payments/${ConnectorTxID1}`)
  const { state, heldAmount, capturedAmount, refundedAmount, cancelledAmount }: Record<string, string> = Object(
    await answer.json(),
  )
  return [state, heldAmount, capturedAmount, refundedAmount, cancelledAmount].join(' ')
}

describe('each operation on a preauthorisation is a separate request to the provider', () => {
  test('a preauthorisation is captured, and the capture is refunded', async () => {
    const id = await preauthorise()
    expect(await paymentAtProvider(id)).toBe('held 92.00 0.00 0.00 0.00')
    const captured = await followUp(id, 'CP', '50.00')
    expect([summary(captured), calls]).toEqual([approved, ['POST payments/:id/captures']])
    expect(captured.body.resultDetails.ExtendedDescription).toBe('Captured.')
    expect(await paymentAtProvider(id)).toBe('held 42.00 50.00 0.00 0.00')
    expect(summary(await followUp(captured.body.id, 'RF', '20.00'))).toEqual(approved)
    expect(await paymentAtProvider(id)).toBe('held 42.00 50.00 20.00 0.00')
  })

  test('a preauthorisation is increased, and captured above its initial amount', async () => {
    const id = await preauthorise()
    const increased = await followUp(id, 'PA', '8.00')
    expect([summary(increased), calls]).toEqual([approved, ['POST payments/:id/increases']])
    expect(await paymentAtProvider(id)).toBe('held 100.00 0.00 0.00 0.00')
    expect(summary(await followUp(id, 'CP', '100.00'))).toEqual(approved)
    expect(await paymentAtProvider(id)).toBe('paid 0.00 100.00 0.00 0.00')
  })

  test('a preauthorisation is released in part, then in full', async () => {
    const id = await preauthorise()
    const released = await followUp(id, 'RV', '2.00')
    expect([summary(released), calls]).toEqual([approved, ['POST payments/:id/reversals']])
    expect(await paymentAtProvider(id)).toBe('held 90.00 0.00 0.00 2.00')
    expect(summary(await followUp(id, 'RV'))).toEqual(approved)
    expect(await paymentAtProvider(id)).toBe('cancelled 0.00 0.00 0.00 92.00')
  })

  test('a reversal of a capture restores the held amount', async () => {
    const id = await preauthorise({ numberOfCaptures: '2' })
    const captured = await followUp(id, 'CP', '50.00')
    expect(summary(await followUp(captured.body.id, 'RV'))).toEqual(approved)
    expect(await paymentAtProvider(id)).toBe('held 92.00 0.00 0.00 0.00')
  })

  test('a preauthorisation that is not captured is released when it expires', async () => {
    const id = await preauthorise()
    await tollgate.gateway.jobs.fastForward(tollgate.gateway.clock.now() + 8 * DAY_MS)
    expect(await paymentAtProvider(id)).toBe('cancelled 0.00 0.00 0.00 92.00')
  })
})

describe('a debit', () => {
  test('is reversed or refunded at the provider', async () => {
    const reversed = await debit()
    expect(summary(await followUp(reversed, 'RV'))).toEqual(approved)
    expect(calls).toEqual(['POST payments/:id/reversals'])
    expect(await paymentAtProvider(reversed)).toBe('cancelled 0.00 0.00 0.00 92.00')
    const refunded = await debit()
    expect(summary(await followUp(refunded, 'RF', '92.00'))).toEqual(approved)
    expect(calls).toEqual(['POST payments/:id/refunds'])
    expect(await paymentAtProvider(refunded)).toBe('refunded 0.00 92.00 92.00 0.00')
  })

  test('has the reason of the provider in the answer to a refused refund', async () => {
    const id = await debit()
    // The payment is refunded at the provider, without the gateway.
    const { ConnectorTxID1 } = (await read(id)).body.resultDetails
    await exchange('POST', `${simulators.url}/bank/payments/${ConnectorTxID1}/refunds`, {
      reference: 'made-at-the-provider',
      amount: '92.00',
    })
    const refused = await followUp(id, 'RF', '92.00')
    expect(summary(refused)).toEqual([400, '800.100.152'])
    expect(refused.body.resultDetails.ExtendedDescription).toContain('more than is left of the payment')
  })
})

describe('a follow-up with a lost answer is repeated without a second effect', () => {
  const operations: readonly (readonly [type: string, amount: string | undefined, expected: string])[] = [
    ['CP', '50.00', 'held 42.00 50.00 0.00 0.00'],
    ['PA', '8.00', 'held 100.00 0.00 0.00 0.00'],
    ['RV', undefined, 'cancelled 0.00 0.00 0.00 92.00'],
  ]

  test.each(operations)('%s is repeated immediately', async (type, amount, expected) => {
    for (const outcome of ['lost', 'failed'] as const) {
      const id = await preauthorise()
      outcomes.push(outcome)
      const answer = await followUp(id, type, amount)
      expect([outcome, ...summary(answer)]).toEqual([outcome, ...approved])
      expect(calls).toHaveLength(2)
      expect(await paymentAtProvider(id)).toBe(expected)
    }
  })

  test.each(operations)(
    '%s is repeated later, by the job that resolves requests without an outcome',
    async (type, amount, expected) => {
      const id = await preauthorise()
      outcomes.push('lost', 'lost')
      const unresolved = await followUp(id, type, amount)
      expect(summary(unresolved)).toEqual([400, '900.100.300'])
      await tollgate.gateway.jobs.fastForward(tollgate.gateway.clock.now() + 5 * MINUTE_MS)
      expect(summary(await read(unresolved.body.id))).toEqual(approved)
      expect(await paymentAtProvider(id)).toBe(expected)
    },
  )

  test('RF is repeated immediately, and later', async () => {
    const id = await debit()
    outcomes.push('lost')
    expect(summary(await followUp(id, 'RF', '10.00'))).toEqual(approved)
    outcomes.push('lost', 'failed')
    const unresolved = await followUp(id, 'RF', '20.00')
    await tollgate.gateway.jobs.fastForward(tollgate.gateway.clock.now() + 5 * MINUTE_MS)
    expect(summary(await read(unresolved.body.id))).toEqual(approved)
    expect(await paymentAtProvider(id)).toBe('paid 0.00 92.00 30.00 0.00')
  })
})

test('a follow-up that does not reach the provider has no effect', async () => {
  const id = await preauthorise()
  outcomes.push('refused')
  expect(summary(await followUp(id, 'CP', '50.00'))).toEqual([400, '900.100.600'])
  expect(await paymentAtProvider(id)).toBe('held 92.00 0.00 0.00 0.00')
  expect(summary(await followUp(id, 'CP', '92.00'))).toEqual(approved)
})

test('a preauthorisation with a lost answer is reversed', async () => {
  outcomes.push('lost')
  const { body } = await pay({ paymentType: 'PA' })
  expect(body.result.code).toBe('900.100.301')
})

describe('operations that a method does not support are refused before any request', () => {
  test.each<[brand: string, type: string]>([
    ['IDEAL', 'PA'],
    ['SOFORTUEBERWEISUNG', 'PA'],
    ['OXXO', 'PA'],
    ['IDEAL', 'CD'],
    ['PAYPAL', 'CD'],
  ])('%s: %s is refused', async (paymentBrand, paymentType) => {
    const { body } = await pay({ paymentBrand, paymentType })
    expect([body.result.code, calls]).toEqual(['600.200.310', []])
    expect(body.resultDetails.ExtendedDescription).toMatch(/send paymentType/)
  })

  test.each<[brand: string, root: string, type: string, amount: string | undefined, code: string]>([
    ['IDEAL', 'DB', 'RV', undefined, '600.200.310'],
    ['OXXO', 'DB', 'RF', '1.00', '600.200.310'],
    ['PAYPAL', 'DB', 'RB', '1.00', '600.200.310'],
    ['KLARNA_PAYMENTS_PAYLATER', 'PA', 'PA', '1.00', '700.100.700'],
    ['PREPAYMENT', 'PA', 'CP', '1.00', '600.200.310'],
  ])('%s: after a %s, %s is refused', async (paymentBrand, paymentType, type, amount, code) => {
    const id = await confirm(await pay({ paymentBrand, paymentType }))
    const refused = await followUp(id, type, amount)
    expect([refused.status, refused.body.result.code, calls]).toEqual([400, code, []])
  })
})
