import type { AcquirerAnswer, AcquirerRequest, NoAnswer, RemoteConnector } from '@tollgate/connectors'
import type { ResultCode } from '@tollgate/contract'
import { type Route, routeMethods } from '@tollgate/domain'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { cardPayment, summary, testGateway } from '@tollgate/gateway/testing'
import { commitChange } from '../commit-change.ts'
import type { ConnectorAccount } from '../context.ts'
import { sandboxIds } from '../directory/sandbox.ts'
import { jobPostponed } from '../job-transitions.ts'
import { routedOf } from '../records/routed.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { gateway, send } = tollgate
const { storage } = gateway

type Reply = AcquirerAnswer | NoAnswer

const approval = ({ amountMinor }: AcquirerRequest): AcquirerAnswer => ({
  status: 'approved',
  code: '000.100.112',
  amountMinor,
  details: { ExtendedDescription: 'Approved.', ConnectorTxID1: 'R1', AcquirerResponse: '00' },
})
const notSent: Reply = { status: 'notSent', reason: 'there was no connection' }
const unknown: Reply = { status: 'unknown' }
const declined = (code: ResultCode, details: AcquirerAnswer['details'] = {}): Reply => ({
  status: 'declined',
  code,
  amountMinor: 0,
  details: { ExtendedDescription: 'Declined.', ...details },
})

/** An acquirer of the test, and the operations that it has received. */
function acquirer(name: string) {
  const received: string[] = []
  const one = {
    received,
    reply: approval as (request: AcquirerRequest) => Reply | Promise<Reply>,
  }
  let drawn = 0
  const connector: RemoteConnector = {
    kind: 'remote',
    name,
    references: async () => `{"n":${++drawn}}`,
    async send(request) {
      received.push(request.operation)
      return one.reply(request)
    },
    async reverse() {
      received.push('reversal')
      return { kind: 'reversed' }
    },
  }
  return {
    ...one,
    account: { connector, methods: new Set(routeMethods), enabled: true, isHealthy: true, costs: [] },
    one,
  }
}

let north = acquirer('north')
let south = acquirer('south')
let east = acquirer('east')

function route(...connectors: readonly string[]): void {
  const targets = connectors.map((connector) => ({ connector, weight: 1 }))
  const routes: readonly Route[] = [{ name: 'cards', when: {}, order: 'listed', targets }]
  Object.assign(gateway.directory.channel(sandboxIds.channel) ?? {}, { routes })
}

beforeEach(() => {
  north = acquirer('north')
  south = acquirer('south')
  east = acquirer('east')
  const accounts = new Map<string, ConnectorAccount>([
    ['north', north.account],
    ['south', south.account],
    ['east', east.account],
  ])
  Object.assign(gateway.acquirers, {
    accounts: { find: (name: string) => accounts.get(name), names: () => accounts.keys() },
  })
  route('north', 'south', 'east')
})

const pay = (changes = {}) => send('POST', '/v1/payments', cardPayment({ testMode: 'EXTERNAL', ...changes }))

const attemptsOf = async (id: string) =>
  (await storage.acquirerAttempts(id)).map(({ kind, connector, sent_as: sentAs, outcome }) => [
    kind,
    connector,
    sentAs,
    outcome,
  ])

const routedTo = async (id: string) => {
  const [row] = await storage.transactions([id])
  return row && routedOf(row)
}

describe('a payment', () => {
  test('is sent to the first connector of its route', async () => {
    const answer = await pay()
    expect(summary(answer)).toEqual([200, '000.100.112'])
    expect(await attemptsOf(answer.body.id)).toEqual([['request', 'north', '{"n":1}', '00']])
    expect(await routedTo(answer.body.id)).toEqual({
      connector: 'north',
      decision: {
        route: 'cards',
        passed: [],
        targets: ['north', 'south', 'east'].map((connector) => ({ connector, verdict: 'used' })),
      },
    })
  })

  test('that did not reach its acquirer is sent to the next connector', async () => {
    north.one.reply = () => notSent
    const answer = await pay()
    expect(summary(answer)).toEqual([200, '000.100.112'])
    expect(await attemptsOf(answer.body.id)).toEqual([
      ['request', 'north', '{"n":1}', '900.100.600'],
      ['request', 'south', '{"n":1}', '00'],
    ])
    expect((await routedTo(answer.body.id))?.connector).toBe('south')
    expect([north.received, south.received, east.received]).toEqual([['DB'], ['DB'], []])
  })

  test('that no acquirer on its route receives is declined with the last result', async () => {
    for (const { one } of [north, south]) one.reply = () => notSent
    east.one.reply = () => declined('900.100.400')
    expect(summary(await pay())).toEqual([400, '900.100.400'])
    expect(east.received).toEqual(['DB'])
  })

  test.each<readonly [string, Reply, ResultCode]>([
    ['the issuer declines', declined('800.100.155'), '800.100.155'],
    ['the issuer demands authentication', declined('300.100.100'), '300.100.100'],
    ['the advice names a time to wait', declined('900.100.400', { MerchantAdviceCode: '24' }), '900.100.400'],
  ])('is not sent to the next connector if %s', async (_, reply, code) => {
    north.one.reply = () => reply
    expect(summary(await pay())).toEqual([400, code])
    expect([north.received, south.received]).toEqual([['DB'], []])
  })

  test('with an unknown outcome is reversed, and sent to no other acquirer', async () => {
    north.one.reply = () => unknown
    expect(summary(await pay())).toEqual([400, '900.100.301'])
    expect([north.received, south.received]).toEqual([['DB', 'reversal'], []])
  })

  test('is sent to the next acquirer once the attempt there is stored', async () => {
    north.one.reply = () => notSent
    south.one.reply = async (request) => {
      const stored = await attemptsOf(request.transactionId)
      return stored.at(-1)?.[1] === 'south' ? approval(request) : declined('800.100.152')
    }
    expect(summary(await pay())).toEqual([200, '000.100.112'])
  })

  test('is sent to no other acquirer once another process has begun its reversal', async () => {
    north.one.reply = async () => {
      const [job] = await storage.dueJobs('end-attempt', '', Number.MAX_SAFE_INTEGER, 1)
      if (!job) throw new Error('the payment has no reversal job')
      await commitChange(gateway, { compareAndSets: [jobPostponed(job, job.due_at_ms + 1, 1)] })
      return notSent
    }
    expect(summary(await pay())).toEqual([400, '900.100.300'])
    expect([north.received, south.received]).toEqual([['DB'], []])
  })
})

describe('a follow-up', () => {
  test('goes to the connector of its payment, also after the routes have changed', async () => {
    north.one.reply = () => notSent
    const { body } = await pay({ paymentType: 'PA' })
    route('east')
    const capture = await send('POST', `/v1/payments/${body.id}`, {
      paymentType: 'CP',
      amount: '10.00',
      currency: 'EUR',
    })
    expect(summary(capture)).toEqual([200, '000.100.112'])
    const refund = { paymentType: 'RF', amount: '10.00', currency: 'EUR' }
    expect(summary(await send('POST', `/v1/payments/${capture.body.id}`, refund))).toEqual([200, '000.100.112'])
    expect([south.received, east.received]).toEqual([['PA', 'CP', 'RF'], []])
    expect(await attemptsOf(capture.body.id)).toMatchObject([['request', 'south', '{"n":2}', '00']])
  })

  test('is not sent elsewhere if its acquirer is not reached', async () => {
    const { body } = await pay({ paymentType: 'PA' })
    north.one.reply = () => notSent
    const capture = await send('POST', `/v1/payments/${body.id}`, {
      paymentType: 'CP',
      amount: '10.00',
      currency: 'EUR',
    })
    expect(summary(capture)).toEqual([400, '900.100.600'])
    expect(south.received).toEqual([])
  })

  test('of the type RB charges at the connector of its payment', async () => {
    const { body } = await pay()
    route('east')
    const rebill = await send('POST', `/v1/payments/${body.id}`, { paymentType: 'RB', amount: '5.00', currency: 'EUR' })
    expect(summary(rebill)).toEqual([200, '000.100.112'])
    expect([north.received, east.received]).toEqual([['DB', 'DB'], []])
  })
})

test('a verification that did not reach its acquirer is sent to the next connector', async () => {
  north.one.reply = () => notSent
  const { paymentType: _, ...card } = cardPayment({ amount: '0.00', testMode: 'EXTERNAL' })
  expect((await send('POST', '/v1/registrations', card)).status).toBe(200)
  expect([north.received, south.received]).toEqual([['PA'], ['PA']])
})

test('a payment by a route to the simulator keeps its decision', async () => {
  route('simulator')
  const { body } = await pay()
  expect(await routedTo(body.id)).toMatchObject({ connector: 'simulator', decision: { route: 'cards' } })
  const capture = await send('POST', `/v1/payments/${body.id}`, { paymentType: 'RF', amount: '1.00', currency: 'EUR' })
  expect(capture.status).toBe(200)
})

test('the simulator can follow an acquirer on a route', async () => {
  route('north', 'simulator')
  north.one.reply = () => notSent
  const { body } = await pay()
  expect(await attemptsOf(body.id)).toMatchObject([
    ['request', 'north', '{"n":1}', '900.100.600'],
    ['request', 'simulator', '{}', expect.anything()],
  ])
  expect((await routedTo(body.id))?.connector).toBe('simulator')
})
