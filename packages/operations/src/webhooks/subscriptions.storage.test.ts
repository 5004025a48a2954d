import { DAY_MS, MINUTE_MS } from '@tollgate/contract'
import { describe, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { cardWithoutPayment, cardPayment } from '@tollgate/gateway/testing'
import { webhookTests } from '@tollgate/gateway/testing/webhook-tests'

const { merchant, legacyChannel } = sandboxIds

const setup = webhookTests()
const { createWebhook, pay, followUp, runDueJobs, fastForward, deliveriesOf, send } = setup

describe('a webhook receives', () => {
  test('the unchanged answers about payments, follow-ups and declines', async () => {
    const { receiver } = await createWebhook()
    const paid = await pay({ paymentType: 'PA', amount: '50.00', 'customParameters[order]': 'ä "1"' })
    const captured = await followUp(paid.body.id, 'CP', '20.00')
    const refunded = await followUp(captured.body.id, 'RF', '5.00')
    const declined = await pay({ 'card.holder': '{800.100.151}' })
    const credited = await pay({ paymentType: 'CD' })
    await runDueJobs()
    const answers = [paid, captured, refunded, declined, credited]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400, 200])
    expect(receiver.received.map(({ text }) => text)).toEqual(
      answers.map(({ text, body: { amount, currency } }) => {
        return (
          `{"type":"PAYMENT","payload":${text},` +
          `"presentationAmount":"${amount}","presentationCurrency":"${currency}"}`
        )
      }),
    )
    expect(receiver.received[1]?.json.payload.referencedId).toBe(paid.body.id)
  })

  test('the release of an authorisation, and not the warning before it', async () => {
    const { receiver } = await createWebhook()
    const { body } = await pay({ paymentType: 'PA' })
    expect(body.resultDetails.AuthorizationExpiresAt).toBeDefined()
    await fastForward(6.5 * DAY_MS)
    expect(setup.logged.filter(({ endsAt }) => endsAt !== undefined)).toHaveLength(1)
    expect(receiver.received.map(({ json }) => json.payload.paymentType)).toEqual(['PA'])
    await fastForward(DAY_MS)
    expect(receiver.received.map(({ json }) => json.payload.paymentType)).toEqual(['PA', 'RV'])
    expect(receiver.received[1]?.json.payload.referencedId).toBe(body.id)
  })

  test('the creation, the updates and the deletion of a registration', async () => {
    const { receiver } = await createWebhook()
    const created = await send('POST', '/v1/registrations', cardWithoutPayment())
    const path = `/v1/registrations/${created.body.id}`
    const updated = await send('POST', path, { 'card.expiryMonth': '11', 'card.expiryYear': '2037' })
    const extended = await send('POST', `${path}/extendlife`)
    const deleted = await send('DELETE', path)
    await runDueJobs()
    expect(receiver.received.map(({ text }) => text)).toEqual([
      `{"type":"REGISTRATION","action":"CREATED","payload":${created.text}}`,
      `{"type":"REGISTRATION","action":"UPDATED","payload":${updated.text}}`,
      `{"type":"REGISTRATION","action":"UPDATED","payload":${extended.text}}`,
      `{"type":"REGISTRATION","action":"DELETED","payload":${deleted.text}}`,
    ])
  })

  test('a payment and the registration that it creates', async () => {
    const { receiver } = await createWebhook()
    const paid = await pay({ createRegistration: 'true' })
    await runDueJobs()
    const [payment, registration] = receiver.received.map(({ json }) => json)
    expect([payment.type, payment.payload]).toEqual(['PAYMENT', paid.body])
    expect([registration.type, registration.action]).toEqual(['REGISTRATION', 'CREATED'])
    expect(registration.payload.id).toBe(paid.body.registrationId)
  })

  test('no event for reads and refused requests', async () => {
    const { receiver } = await createWebhook()
    const paid = await pay({}).then(({ body }) => body.id)
    await runDueJobs()
    receiver.received.length = 0
    await send('GET', `/v1/payments/${paid}`)
    await pay({ amount: 'x' })
    await followUp('0'.repeat(32), 'RF', '1.00')
    await followUp(paid, 'CP', '1.00')
    await send('POST', '/v1/payments', cardPayment(), { authorization: undefined })
    await send('DELETE', `/v1/registrations/${'0'.repeat(32)}`)
    await runDueJobs()
    expect(receiver.received).toEqual([])
  })

  test('one event for a request that is repeated with its Idempotency-Key', async () => {
    const { receiver } = await createWebhook()
    const payWithKey = () => send('POST', '/v1/payments', cardPayment(), { 'idempotency-key': 'k' })
    const [first, second] = [await payWithKey(), await payWithKey()]
    await runDueJobs()
    expect(first.text).toBe(second.text)
    expect(receiver.received.map(({ json }) => json.payload.id)).toEqual([first.body.id])
  })

  test('the events of its entity and of the entities below', async () => {
    const ownWebhook = await createWebhook()
    const parentWebhook = await createWebhook({ entityId: merchant })
    const otherWebhook = await createWebhook({ entityId: legacyChannel })
    await pay()
    await pay({ entityId: legacyChannel })
    await runDueJobs()
    expect([ownWebhook, parentWebhook, otherWebhook].map(({ receiver }) => receiver.received.length)).toEqual([1, 2, 1])
  })

  test('only the types of events that it is subscribed to', async () => {
    const { receiver } = await createWebhook({ types: ['REGISTRATION'] })
    await pay()
    await send('POST', '/v1/registrations', cardWithoutPayment())
    await runDueJobs()
    expect(receiver.received.map(({ json }) => json.type)).toEqual(['REGISTRATION'])
  })

  test('no data of the customer with the fieldFilter NON_CUSTOMER_DATA', async () => {
    const { receiver } = await createWebhook({ fieldFilter: 'NON_CUSTOMER_DATA' })
    const names = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones', 'customer.email': 'jane@jones.example' }
    const { body } = await pay(names)
    await runDueJobs()
    const [received] = receiver.received
    expect(received?.text).not.toMatch(/jane/i)
    const { customer, card, ...remaining } = body
    const { holder, ...maskedCard } = card
    expect([customer.givenName, holder]).toEqual(['Jane', 'Jane Jones'])
    expect(received?.json).toMatchObject({ payload: { ...remaining, card: maskedCard }, presentationAmount: '92.00' })
  })

  test.each([
    { wrapper: 'text', type: 'text/plain', form: /^[0-9a-f]+$/ },
    { wrapper: 'json', type: 'application/json', form: /^\{"encryptedBody":"[0-9a-f]+"\}$/ },
  ])('signed requests in its wrapper ($wrapper), each attempt with a new initialisation vector', async (expected) => {
    const { receiver, id } = await createWebhook({ wrapper: expected.wrapper })
    receiver.answer = () => ({ status: 500 })
    await pay()
    await runDueJobs()
    receiver.answer = () => ({ status: 204 })
    await fastForward(2 * MINUTE_MS)
    expect(receiver.received.length).toBe(2)
    const [delivery] = await deliveriesOf(id, 'delivered')
    for (const { headers, body, isSigned } of receiver.received) {
      expect([headers['content-type'], body, isSigned]).toEqual([
        expected.type,
        expect.stringMatching(expected.form),
        true,
      ])
      expect(headers['webhook-id']).toBe(delivery.eventId)
    }
    const [first, second] = receiver.received.map(({ headers }) => headers)
    expect(first?.['x-initialization-vector']).toMatch(/^[0-9a-f]{24}$/)
    expect(first?.['x-initialization-vector']).not.toBe(second?.['x-initialization-vector'])
    // The test clock was advanced in between; the machine's clock, which is constant in this test, was not.
    expect(second?.['webhook-timestamp']).toBe(first?.['webhook-timestamp'])
    expect(Number(first?.['webhook-timestamp'])).toBe(Math.floor(setup.clock.nowMs / 1000))
  })
})
