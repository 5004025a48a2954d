import { afterAll, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { cardWithoutPayment, cardPayment, type TestAnswer, testGateway } from '@tollgate/gateway/testing'
import { envelope } from './envelope.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, manage, gateway } = tollgate
Object.assign(gateway.webhooks, { of: () => ['w1'] })

const { body: partial } = await manage('POST', '/entities', {
  kind: 'channel',
  name: 'Partial',
  parentId: sandboxIds.merchant,
  settings: { partialApproval: true },
})
const pay = (changes: Parameters<typeof cardPayment>[0] = {}) => send('POST', '/v1/payments', cardPayment(changes))
const quoting = '","presentationAmount":"1.00","amount":"2.00","currency":"XXX'

/** The events of this request, as delivered to a webhook for all types. */
async function toldOf(request: () => Promise<TestAnswer>) {
  const due = () => gateway.storage.dueJobs('delivery', 'w1', gateway.clock.now(), 999)
  const before = new Set((await due()).map(({ id }) => id))
  await request()
  const fresh = (await due()).filter(({ id }) => !before.has(id))
  const events = await Promise.all(fresh.map(({ subject_id }) => gateway.storage.event(subject_id)))
  return events.flatMap((event) => (event ? [JSON.parse(envelope(event, 'ALL'))] : []))
}

const PAID = ['PAYMENT', '92.00', 'EUR']
const REGISTERED = ['REGISTRATION', undefined, undefined]
const registration = async () => (await send('POST', '/v1/registrations', cardWithoutPayment())).body.id
const paidId = async () => (await pay({ paymentType: 'PA' })).body.id

test.each<{ what: string; request: () => Promise<TestAnswer>; told: readonly (readonly (string | undefined)[])[] }>([
  { what: 'a payment', request: () => pay(), told: [PAID] },
  { what: 'one with a registration', request: () => pay({ createRegistration: 'true' }), told: [PAID, REGISTERED] },
  { what: 'one with quotes in its texts', request: () => pay({ merchantTransactionId: quoting }), told: [PAID] },
  { what: 'one with quotes further on', request: () => pay({ 'customParameters[order]': quoting }), told: [PAID] },
  { what: 'a decline', request: () => pay({ 'card.holder': '{800.100.151}' }), told: [PAID] },
  { what: 'a refusal of ours', request: () => pay({ 'card.expiryYear': '2024' }), told: [PAID] },
  {
    what: 'a partial approval',
    request: () => pay({ entityId: partial.id, 'customParameters[forceAcquirerResponse]': '10' }),
    told: [['PAYMENT', '46.00', 'EUR']],
  },
  { what: 'a legacy channel', request: () => pay({ entityId: sandboxIds.legacyChannel }), told: [PAID] },
  {
    what: 'a part that is captured',
    request: async () =>
      send('POST', `/v1/payments/${await paidId()}`, { paymentType: 'CP', amount: '1.50', currency: 'EUR' }),
    told: [PAID, ['PAYMENT', '1.50', 'EUR']],
  },
  {
    what: 'a reversal, asked for without an amount',
    request: async () => send('POST', `/v1/payments/${await paidId()}`, { paymentType: 'RV' }),
    told: [PAID, PAID],
  },
  {
    what: 'a registration that is deleted',
    request: async () => send('DELETE', `/v1/registrations/${await registration()}`),
    told: [REGISTERED, REGISTERED],
  },
])('amounts beside the payload of $what are those of the payload', async ({ request, told }) => {
  const notifications = await toldOf(request)
  const seen = notifications.map(({ type, presentationAmount, presentationCurrency }) => [
    type,
    presentationAmount,
    presentationCurrency,
  ])
  expect(seen).toEqual(told)
  for (const { payload, presentationAmount, presentationCurrency } of notifications) {
    expect([payload.amount, payload.currency]).toEqual([presentationAmount, presentationCurrency])
  }
})

const amounts = { presentationAmount: '92.00', presentationCurrency: 'EUR' }
test.each<{ what: string; payload: object; presentation: object }>([
  { what: 'at once', payload: { amount: '92.00', currency: 'EUR' }, presentation: amounts },
  {
    what: 'after a text with quotes',
    payload: { id: quoting, amount: '92.00', currency: 'EUR' },
    presentation: amounts,
  },
  {
    what: 'after an object',
    payload: { card: { amount: '1.00' }, amount: '92.00', currency: 'EUR' },
    presentation: amounts,
  },
  { what: 'apart', payload: { amount: '92.00', id: 'a', currency: 'EUR' }, presentation: amounts },
  { what: 'nowhere but further in', payload: { schedule: { amount: '92.00', currency: 'EUR' } }, presentation: {} },
  { what: 'nowhere but in a text', payload: { id: quoting, name: '"amount":"1.00"' }, presentation: {} },
  { what: 'nowhere', payload: {}, presentation: {} },
])('amounts are found that stand $what', ({ payload, presentation }) => {
  const event = {
    id: 'e',
    merchant: 'm',
    entity_id: 'c',
    root_id: 'r',
    type: 'PAYMENT',
    action: null,
    payload: JSON.stringify(payload),
    created_at_ms: 0,
  }
  expect(JSON.parse(envelope(event, 'ALL'))).toEqual({ type: 'PAYMENT', payload, ...presentation })
})
