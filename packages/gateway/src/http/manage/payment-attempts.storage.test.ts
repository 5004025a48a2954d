import { createSimulator, type RemoteConnector } from '@tollgate/connectors'
import { type Route, routeMethods } from '@tollgate/domain'
import { sandboxIds } from '@tollgate/operations'
import { afterAll, expect, test } from 'vitest'
import { cardPayment, testGateway } from '../../testing/test-gateway.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { gateway, send, manage } = tollgate

const simulator = createSimulator()
const connector = (isReached: boolean): RemoteConnector => ({
  kind: 'remote',
  name: 'remote',
  references: async () => '{"stan":"000001"}',
  send: async (request) => (isReached ? simulator.send(request) : { status: 'notSent', reason: 'refused' }),
  reverse: async () => ({ kind: 'reversed' }),
})
const account = (isReached: boolean) => ({
  connector: connector(isReached),
  methods: new Set(routeMethods),
  enabled: true,
  isHealthy: true,
  costs: [],
})
const accounts = new Map([
  ['north', account(false)],
  ['south', account(true)],
])
const targets = [...accounts.keys()].map((name) => ({ connector: name, weight: 1 }))
const routes: readonly Route[] = [{ name: 'cards', when: {}, order: 'listed', targets }]
Object.assign(gateway.acquirers, {
  accounts: { find: (name: string) => accounts.get(name), names: () => accounts.keys() },
})
Object.assign(gateway.directory.channel(sandboxIds.channel) ?? {}, { routes })

test('the attempts of a payment show its route, its references and its results', async () => {
  const { body } = await send('POST', '/v1/payments', cardPayment({ paymentType: 'PA', testMode: 'EXTERNAL' }))
  const capture = { paymentType: 'CP', amount: '10.00', currency: 'EUR' }
  const { body: captured } = await send('POST', `/v1/payments/${body.id}`, capture)
  const { status, body: shown } = await manage('GET', `/payments/${captured.id}/attempts`)
  expect(status).toBe(200)
  expect(shown).toMatchObject({
    id: body.id,
    transactions: [
      {
        id: body.id,
        type: 'PA',
        status: 'ACK',
        resultCode: '000.100.112',
        connector: 'south',
        decision: { route: 'cards', passed: [], targets: targets.map(({ connector: name }) => ({ connector: name })) },
        attempts: [
          { kind: 'request', connector: 'north', sentAs: { stan: '000001' }, outcome: '900.100.600' },
          { kind: 'request', connector: 'south', createdAt: '2026-05-04T03:02:01.000Z' },
        ],
      },
      { id: captured.id, type: 'CP', connector: 'south', decision: null, attempts: [{ connector: 'south' }] },
    ],
  })
})

test('a payment of the simulator has no attempts', async () => {
  const { body } = await send('POST', '/v1/payments', cardPayment())
  const { body: shown } = await manage('GET', `/payments/${body.id}/attempts`)
  expect(shown.transactions).toMatchObject([{ connector: null, decision: null, attempts: [] }])
})

test('an unknown payment is answered with 404', async () => {
  const { status, body } = await manage('GET', `/payments/${'0'.repeat(32)}/attempts`)
  expect([status, body.error.message]).toEqual([404, expect.stringContaining('give the id of one of its transactions')])
})
