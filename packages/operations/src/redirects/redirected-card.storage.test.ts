import type { AcquirerAnswer, AcquirerRequest, RemoteConnector } from '@tollgate/connectors'
import { type Route, routeMethods } from '@tollgate/domain'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { cardPayment, type Parameters, summary, testGateway } from '@tollgate/gateway/testing'
import { sandboxIds } from '../directory/sandbox.ts'
import { factsOf } from '../records/payment-record.ts'
import { pollSession } from './poll-session.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { gateway, send } = tollgate
const { storage } = gateway

const details = { ExtendedDescription: 'The shopper authenticates the payment.', ConnectorTxID1: 'U1' }
const pending: AcquirerAnswer = {
  status: 'pending',
  code: '000.200.000',
  amountMinor: 9200,
  details,
  redirect: { url: 'https://provider.example/challenge', method: 'GET', parameters: [] },
}
const approval: AcquirerAnswer = {
  status: 'approved',
  code: '000.100.112',
  amountMinor: 9200,
  details: { ...details, ExtendedDescription: 'Approved.', CardholderInitiatedTransactionID: '012345678901234' },
}

/** A provider that authenticates cards on its own page. */
const provider = { sent: [] as AcquirerRequest[], state: pending }
const connector: RemoteConnector = {
  kind: 'remote',
  name: 'provider',
  redirectsShoppers: true,
  async send(request) {
    provider.sent.push(request)
    return request.original ? approval : provider.state
  },
  reverse: async () => ({ kind: 'reversed' }),
  inquire: async () => provider.state,
}
const account = { connector, methods: new Set(routeMethods), enabled: true, isHealthy: true, costs: [] }
const routes: readonly Route[] = [
  { name: 'all', when: {}, order: 'listed', targets: [{ connector: 'provider', weight: 1 }] },
]

beforeEach(() => {
  Object.assign(provider, { sent: [], state: pending })
  Object.assign(gateway.acquirers, { accounts: { find: () => account, names: () => [] } })
  Object.assign(gateway.directory.channel(sandboxIds.channel) ?? {}, { routes })
})

const shopperResultUrl = 'https://shop.example/done'
const pay = (changes: Parameters = {}) =>
  send('POST', '/v1/payments', cardPayment({ testMode: 'EXTERNAL', shopperResultUrl, ...changes }))

const rowOf = async (id: string) => {
  const [row] = await storage.transactions([id])
  if (!row) throw new Error('the payment is not stored')
  return row
}

/** The shopper has finished on the provider's page. */
async function finish(id: string, state: AcquirerAnswer) {
  provider.state = state
  const session = await storage.session(factsOf(await rowOf(id)).sessionId ?? '')
  if (!session) throw new Error('the payment has no session')
  return pollSession(gateway, session)
}

test('the results of the checks and the facts about the card come with the result', async () => {
  provider.state = { ...pending, accountFacts: { type: 'CREDIT', 'issuer.bank': 'A bank' } }
  const { id } = (await pay()).body
  const accountFacts = { level: '0042', 'issuer.bank': 'Another bank' }
  await finish(id, { ...approval, avs: 'F', cvv: 'M', accountFacts })
  const { result, card } = (await send('GET', `/v1/payments/${id}`)).body
  expect(result).toMatchObject({ code: '000.100.112', avsResponse: 'F', cvvResponse: 'M' })
  expect(card).toMatchObject({ bin: '420000', type: 'CREDIT', level: '0042', issuer: { bank: 'Another bank' } })
})

test('a card is authenticated on the page of the provider, then approved', async () => {
  const answer = await pay()
  expect(summary(answer)).toEqual([200, '000.200.000'])
  expect(answer.body.redirect).toMatchObject({ url: 'https://provider.example/challenge' })
  const [request] = provider.sent
  expect(request?.urls?.returnUrl).toMatch(/\/pages\/return\/[0-9a-f]{32}$/)
  await finish(answer.body.id, approval)
  expect(summary(await send('GET', `/v1/payments/${answer.body.id}`))).toEqual([200, '000.100.112'])
  const refund = { paymentType: 'RF', amount: '1.00', currency: 'EUR' }
  expect(summary(await send('POST', `/v1/payments/${answer.body.id}`, refund))).toEqual([200, '000.100.112'])
})

test('a card without a return address is not redirected', async () => {
  provider.state = approval
  const answer = await pay({ shopperResultUrl: undefined })
  expect(summary(answer)).toEqual([200, '000.100.112'])
  expect(provider.sent[0]?.urls).toBeUndefined()
})

test('a payment that the provider approves at once has no session', async () => {
  provider.state = approval
  const { body } = await pay()
  expect(factsOf(await rowOf(body.id)).sessionId).toBeUndefined()
})

test('a card is registered once the provider has approved its payment', async () => {
  const { body } = await pay({ createRegistration: 'true' })
  expect(body.registrationId).toBeUndefined()
  await finish(body.id, approval)
  const { body: paid } = await send('GET', `/v1/payments/${body.id}`)
  expect(paid.registrationId).toMatch(/^[0-9a-f]{32}$/)
  provider.state = approval
  const again = { paymentType: 'DB', amount: '5.00', currency: 'EUR', testMode: 'EXTERNAL' }
  expect(summary(await send('POST', `/v1/registrations/${paid.registrationId}/payments`, again))).toEqual([
    200,
    '000.100.112',
  ])
  const number = provider.sent.at(-1)?.account?.number
  expect(number).toBeDefined()
})

test('a card is not registered if its payment is declined', async () => {
  const { body } = await pay({ createRegistration: 'true' })
  await finish(body.id, { ...approval, status: 'declined', code: '800.100.155', amountMinor: 0 })
  const { body: declined } = await send('GET', `/v1/payments/${body.id}`)
  expect([declined.result.code, declined.registrationId]).toEqual(['800.100.155', undefined])
})

test('an agreement that begins on the page of the provider can be charged', async () => {
  const instruction = {
    'standingInstruction.mode': 'INITIAL',
    'standingInstruction.type': 'UNSCHEDULED',
    'standingInstruction.source': 'CIT',
  }
  const { body } = await pay({ ...instruction, createRegistration: 'true' })
  await finish(body.id, approval)
  expect((await rowOf(body.id)).network_transaction_id).toBe('012345678901234')
})
