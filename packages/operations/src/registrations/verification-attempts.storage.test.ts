import type { AcquirerAnswer, AcquirerRequest, NoAnswer, RemoteConnector } from '@tollgate/connectors'
import { routeMethods } from '@tollgate/domain'
import type { AcquirerAttemptRow } from '@tollgate/storage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cardWithoutPayment, type Parameters, summary, testGateway, type TestGateway } from '@tollgate/gateway/testing'
import { sandboxIds } from '../directory/sandbox.ts'

type Reply = AcquirerAnswer | NoAnswer

const approval = (_request: AcquirerRequest): Reply => ({
  status: 'approved',
  code: '000.100.112',
  amountMinor: 0,
  details: { ExtendedDescription: 'Approved.', AcquirerResponse: '85', CardholderInitiatedTransactionID: 'N1' },
})
const declined = (): Reply => ({
  status: 'declined',
  code: '800.100.151',
  amountMinor: 0,
  details: { ExtendedDescription: 'Declined.', AcquirerResponse: '14' },
})
const notSent = (): Reply => ({ status: 'notSent', reason: 'the link is down' })

let tollgate: TestGateway
let replies: Record<string, (request: AcquirerRequest) => Reply>
/** The attempts that were stored when a verification was sent. */
let storedBefore: AcquirerAttemptRow[]

beforeEach(async () => {
  tollgate = await testGateway()
  replies = { north: approval, south: approval }
  storedBefore = []
  const account = (name: string) => {
    const connector: RemoteConnector = {
      kind: 'remote',
      name,
      references: async () => `{"by":"${name}"}`,
      async send(request) {
        storedBefore.push(...(await tollgate.gateway.storage.acquirerAttempts(request.transactionId)))
        return replies[name]?.(request) ?? notSent()
      },
      reverse: async () => ({ kind: 'unknown' }),
    }
    return { connector, methods: new Set(routeMethods), enabled: true, isHealthy: true, costs: [] }
  }
  const accounts = new Map(['north', 'south'].map((name) => [name, account(name)]))
  Object.assign(tollgate.gateway.acquirers, {
    accounts: { find: (name: string) => accounts.get(name), names: () => accounts.keys() },
  })
  const targets = ['north', 'south'].map((connector) => ({ connector, weight: 1 }))
  const routes = [{ name: 'cards', when: {}, order: 'listed', targets }]
  Object.assign(tollgate.gateway.directory.channel(sandboxIds.channel) ?? {}, { routes })
})
afterEach(() => tollgate.close())

const verification = { testMode: 'EXTERNAL', amount: '0.00', currency: 'EUR' }
const register = (changes: Parameters = verification) =>
  tollgate.send('POST', '/v1/registrations', cardWithoutPayment(changes))
const shown = async (id: string) => {
  const { body } = await tollgate.manage('GET', `/payments/${id}/attempts`)
  return body.transactions
}

describe('the verification of an account', () => {
  test('is stored before it is sent, and shown with the registration', async () => {
    const { body, status } = await register()
    expect(status).toBe(200)
    expect(storedBefore).toMatchObject([
      { transaction_id: body.id, kind: 'verification', connector: 'north', sent_as: '{"by":"north"}', outcome: null },
    ])
    expect(await shown(body.id)).toMatchObject([
      {
        type: 'RG',
        connector: 'north',
        attempts: [{ kind: 'verification', connector: 'north', sentAs: { by: 'north' }, outcome: '85' }],
      },
    ])
  })

  test('has an attempt for each connector of its route', async () => {
    replies['north'] = notSent
    const { body } = await register()
    expect(await shown(body.id)).toMatchObject([
      {
        connector: 'south',
        attempts: [
          { connector: 'north', outcome: '900.100.600' },
          { connector: 'south', outcome: '85' },
        ],
      },
    ])
  })

  test('of a changed registration is shown with the change', async () => {
    const { body } = await register({ testMode: 'EXTERNAL' })
    const update = await tollgate.send('POST', `/v1/registrations/${body.id}`, verification)
    expect(update.status).toBe(200)
    const outcomes = (await shown(body.id)).map(({ type, attempts }: Record<string, unknown[]>) => [
      type,
      attempts?.length,
    ])
    expect(outcomes).toEqual([
      ['RG', 0],
      [expect.any(String), 1],
    ])
  })

  test.each<readonly [string, () => Reply, string, string]>([
    ['is declined', declined, '800.100.151', '14'],
    ['has no answer', () => ({ status: 'unknown' }), '900.100.301', '900.100.301'],
  ])('that %s keeps its attempt without a transaction', async (_, reply, code, outcome) => {
    replies['north'] = reply
    expect(summary(await register())[1]).toBe(code)
    const id = storedBefore[0]?.transaction_id ?? ''
    const { storage } = tollgate.gateway
    expect(await storage.acquirerAttempts(id)).toMatchObject([{ kind: 'verification', outcome }])
    expect(await storage.transactions([id])).toEqual([])
    expect((await tollgate.manage('GET', `/payments/${id}/attempts`)).status).toBe(404)
  })
})

test('a registration without a verification has no attempt, because it reaches no connector', async () => {
  const { body } = await register({ testMode: 'EXTERNAL' })
  expect([storedBefore, await shown(body.id)]).toMatchObject([[], [{ type: 'RG', attempts: [] }]])
})
