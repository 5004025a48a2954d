import { afterAll, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { cardWithoutPayment, cardPayment, type TestAnswer, testGateway } from '@tollgate/gateway/testing'
import { renderEnvelope } from './envelope.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, manage, gateway } = tollgate
Object.assign(gateway.webhooks, { webhookIdsFor: () => ['w1'] })

const { body: partialApprovalChannel } = await manage('POST', '/entities', {
  kind: 'channel',
  name: 'Partial',
  parentId: sandboxIds.merchant,
  settings: { partialApproval: true },
})
const pay = (changes: Parameters<typeof cardPayment>[0] = {}) => send('POST', '/v1/payments', cardPayment(changes))
const textWithQuotes = '","presentationAmount":"1.00","amount":"2.00","currency":"XXX'

/** The notifications that a request causes for a webhook of all types, rendered without a delivery. */
async function notificationsOf(request: () => Promise<TestAnswer>) {
  const dueDeliveries = () => gateway.storage.dueJobs('delivery', 'w1', gateway.clock.now(), 999)
  const knownIds = new Set((await dueDeliveries()).map(({ id }) => id))
  await request()
  const newJobs = (await dueDeliveries()).filter(({ id }) => !knownIds.has(id))
  const events = await Promise.all(newJobs.map(({ subject_id }) => gateway.storage.event(subject_id)))
  return events.flatMap((event) => (event ? [JSON.parse(renderEnvelope(event, 'ALL'))] : []))
}

const PAID = ['PAYMENT', '92.00', 'EUR']
const REGISTERED = ['REGISTRATION', undefined, undefined]
const register = async () => (await send('POST', '/v1/registrations', cardWithoutPayment())).body.id
const preauthorise = async () => (await pay({ paymentType: 'PA' })).body.id

test.each<{
  label: string
  request: () => Promise<TestAnswer>
  expected: readonly (readonly (string | undefined)[])[]
}>([
  { label: 'a payment', request: () => pay(), expected: [PAID] },
  {
    label: 'a payment with a registration',
    request: () => pay({ createRegistration: 'true' }),
    expected: [PAID, REGISTERED],
  },
  {
    label: 'a payment with quotes in its first texts',
    request: () => pay({ merchantTransactionId: textWithQuotes }),
    expected: [PAID],
  },
  {
    label: 'a payment with quotes in later texts',
    request: () => pay({ 'customParameters[order]': textWithQuotes }),
    expected: [PAID],
  },
  { label: 'a decline', request: () => pay({ 'card.holder': '{800.100.151}' }), expected: [PAID] },
  { label: 'a refusal by the gateway', request: () => pay({ 'card.expiryYear': '2024' }), expected: [PAID] },
  {
    label: 'a partial approval',
    request: () => pay({ entityId: partialApprovalChannel.id, 'customParameters[forceAcquirerResponse]': '10' }),
    expected: [['PAYMENT', '46.00', 'EUR']],
  },
  {
    label: 'a payment on a legacy channel',
    request: () => pay({ entityId: sandboxIds.legacyChannel }),
    expected: [PAID],
  },
  {
    label: 'a partial capture',
    request: async () =>
      send('POST', `/v1/payments/${await preauthorise()}`, { paymentType: 'CP', amount: '1.50', currency: 'EUR' }),
    expected: [PAID, ['PAYMENT', '1.50', 'EUR']],
  },
  {
    label: 'a reversal without a requested amount',
    request: async () => send('POST', `/v1/payments/${await preauthorise()}`, { paymentType: 'RV' }),
    expected: [PAID, PAID],
  },
  {
    label: 'a deleted registration',
    request: async () => send('DELETE', `/v1/registrations/${await register()}`),
    expected: [REGISTERED, REGISTERED],
  },
])('the presentation amounts of $label equal those of its payload', async ({ request, expected }) => {
  const notifications = await notificationsOf(request)
  const presentedAmounts = notifications.map(({ type, presentationAmount, presentationCurrency }) => [
    type,
    presentationAmount,
    presentationCurrency,
  ])
  expect(presentedAmounts).toEqual(expected)
  for (const { payload, presentationAmount, presentationCurrency } of notifications) {
    expect([payload.amount, payload.currency]).toEqual([presentationAmount, presentationCurrency])
  }
})

const amounts = { presentationAmount: '92.00', presentationCurrency: 'EUR' }
test.each<{ label: string; payload: object; presentation: object }>([
  { label: 'in the first members', payload: { amount: '92.00', currency: 'EUR' }, presentation: amounts },
  {
    label: 'after a text with quotes',
    payload: { id: textWithQuotes, amount: '92.00', currency: 'EUR' },
    presentation: amounts,
  },
  {
    label: 'after an object',
    payload: { card: { amount: '1.00' }, amount: '92.00', currency: 'EUR' },
    presentation: amounts,
  },
  { label: 'apart from its currency', payload: { amount: '92.00', id: 'a', currency: 'EUR' }, presentation: amounts },
  { label: 'only in a nested object', payload: { schedule: { amount: '92.00', currency: 'EUR' } }, presentation: {} },
  { label: 'only in a text', payload: { id: textWithQuotes, name: '"amount":"1.00"' }, presentation: {} },
  { label: 'in no member', payload: {}, presentation: {} },
])('an amount $label results in $presentation', ({ payload, presentation }) => {
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
  expect(JSON.parse(renderEnvelope(event, 'ALL'))).toEqual({ type: 'PAYMENT', payload, ...presentation })
})

test('no notification contains a memo, which is for reports only', async () => {
  const merchantMemo = 'as agreed with Jane'
  const { body: paid } = await pay()
  const refund = { paymentType: 'RF', amount: '1.00', currency: 'EUR', merchantMemo }
  const notified = [
    await notificationsOf(() => pay({ merchantMemo, createRegistration: 'true' })),
    await notificationsOf(() => send('POST', `/v1/payments/${paid.id}`, refund)),
    await notificationsOf(() => send('POST', '/v1/registrations', cardWithoutPayment({ merchantMemo }))),
  ]
  expect(notified.map((envelopes) => envelopes.length)).toEqual([2, 1, 1])
  expect(JSON.stringify(notified)).not.toMatch(/memo|agreed/i)
})
