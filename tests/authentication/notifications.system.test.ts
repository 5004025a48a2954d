import { MINUTE_MS } from '@tollgate/contract'
import { sandboxIds } from '@tollgate/gateway'
import { afterAll, expect, test } from 'vitest'
import { formOf, pageOf, RESULT_URL, browserData, withIssuers } from './with-issuers.ts'

// The gateway notifies the merchant at the start and at the end of 3-D Secure.

const notificationUrl = 'http://127.0.0.1:9/notify'
const challenged = '4200000000000042'
const billing = {
  'billing.street1': 'Hauptstr. 1',
  'billing.city': 'Berlin',
  'billing.postcode': '10115',
  'billing.country': 'DE',
}
const setup = await withIssuers()
const { tollgate } = setup
afterAll(() => tollgate.close())

const fastForward = (ms: number) => tollgate.gateway.jobs.fastForward(tollgate.gateway.clock.now() + ms)

/** The notifications of a payment or a standalone authentication, oldest first. */
async function notificationsOf(rootId: string): Promise<unknown[]> {
  const events = await tollgate.gateway.storage.eventsBetween(sandboxIds.merchant, '', '~', 10_000)
  return events
    .filter(({ type, root_id }) => type === 'NOTIFICATION' && root_id === rootId)
    .map(({ payload }) => JSON.parse(payload))
}

const paymentNotification = (id: string) => ({ url: notificationUrl, id, resourcePath: `/v1/payments/${id}` })

test('the merchant is notified of the start and the end of an answered challenge', async () => {
  const { body } = await setup.pay(challenged, { notificationUrl })
  expect(await notificationsOf(body.id)).toEqual([paymentNotification(body.id)])
  const step = await setup.begin(pageOf(body))
  expect(await setup.answer(pageOf(body), step.creq ?? '', { password: '1234' })).toBe(200)
  expect((await setup.readPayment(body.id)).body.result.code).toBe('000.100.110')
  expect(await notificationsOf(body.id)).toEqual([paymentNotification(body.id), paymentNotification(body.id)])
})

test('the merchant is notified of the start and the end of an expired challenge', async () => {
  const { body } = await setup.pay(challenged, { notificationUrl })
  await setup.begin(pageOf(body))
  await fastForward(12 * MINUTE_MS)
  expect((await setup.readPayment(body.id)).body.result.code).toBe('100.380.501')
  expect(await notificationsOf(body.id)).toEqual([paymentNotification(body.id), paymentNotification(body.id)])
})

test('the merchant is notified of the start and the end of a decoupled authentication', async () => {
  const decoupled = { ...browserData, ...billing, notificationUrl, 'threeDSecure.decoupled': 'true' }
  const { body } = await setup.pay(challenged, decoupled)
  await setup.begin(pageOf(body))
  await fastForward(MINUTE_MS)
  await setup.issuers.advance()
  await fastForward(2 * MINUTE_MS)
  expect((await setup.readPayment(body.id)).body.result.code).toBe('000.100.110')
  expect(await notificationsOf(body.id)).toEqual([paymentNotification(body.id), paymentNotification(body.id)])
})

test('the merchant is notified of the start and the end of a standalone authentication', async () => {
  const { body } = await setup.authenticate(challenged, { notificationUrl })
  const step = await setup.begin(pageOf(body))
  await setup.answer(pageOf(body), step.creq ?? '', { password: '1234' })
  const notification = { url: notificationUrl, id: body.id, resourcePath: `/v1/threeDSecure/${body.id}` }
  expect(await notificationsOf(body.id)).toEqual([notification, notification])
})

test('a notification for a checkout contains the id and the path of the checkout', async () => {
  const parameters = {
    amount: '92.00',
    currency: 'EUR',
    paymentType: 'DB',
    shopperResultUrl: RESULT_URL,
    notificationUrl,
  }
  const { body: checkout } = await tollgate.send('POST', '/v1/checkouts', parameters)
  const card = { 'card.holder': 'Jane Jones', 'card.expiryMonth': '05', 'card.expiryYear': '2034' }
  const path = `/v1/checkouts/${checkout.id}/payment`
  const pending = await setup.post(path, formOf({ ...card, 'card.number': challenged }))
  const body = pending.json<{ readonly id: string; readonly redirect: { readonly url: string } }>()
  const notification = { url: notificationUrl, id: checkout.id, resourcePath: path }
  expect(await notificationsOf(body.id)).toEqual([notification])
  const step = await setup.begin(pageOf(body))
  await setup.answer(pageOf(body), step.creq ?? '', { password: '1234' })
  expect((await tollgate.send('GET', path)).body.result.code).toBe('000.100.110')
  expect(await notificationsOf(body.id)).toEqual([notification, notification])
})
