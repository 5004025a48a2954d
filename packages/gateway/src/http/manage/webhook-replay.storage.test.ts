import { describe, expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { limits as operationLimits, sandboxIds } from '@tollgate/operations'
import { cardWithoutPayment } from '../../testing/test-gateway.ts'
import { webhookTests } from '../../testing/webhook-tests.ts'

const { channel, merchant, legacyChannel } = sandboxIds

const setup = webhookTests()
const { createWebhook, pay, runDueJobs, send, manage } = setup

describe('operators', () => {
  test('replay events by id or by time range', async () => {
    const { id, receiver } = await createWebhook({ types: ['PAYMENT'] })
    const { receiver: registrationReceiver } = await createWebhook({ types: ['REGISTRATION'] })
    const from = new Date(setup.clock.nowMs).toISOString()
    await pay()
    await send('POST', '/v1/registrations', cardWithoutPayment())
    setup.clock.nowMs += 1_000
    await pay({ entityId: legacyChannel })
    await pay()
    await runDueJobs()
    const eventIds = receiver.received.map(({ headers }) => String(headers['webhook-id']))
    expect(eventIds.length).toBe(2)
    const again = await manage('POST', `/webhooks/${id}/replay`, { eventIds: eventIds.slice(1) })
    expect(again.body).toEqual({ deliveries: 1 })
    const range = { from, to: new Date(setup.clock.nowMs - 1).toISOString() }
    expect((await manage('POST', `/webhooks/${id}/replay`, range)).body).toEqual({ deliveries: 1 })
    await runDueJobs()
    const receivedIds = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(receivedIds).toEqual([...eventIds, eventIds[1], eventIds[0]])
    expect(receiver.received[3]?.text).toBe(receiver.received[0]?.text)
    expect(registrationReceiver.received.length).toBe(1)
    const unknownEvent = await manage('POST', `/webhooks/${id}/replay`, { eventIds: ['0'.repeat(32)] })
    expect([unknownEvent.status, unknownEvent.body.error.message]).toEqual([
      404,
      `There is no event ${'0'.repeat(32)}.`,
    ])
  })

  test.each([
    { request: {}, message: /^body must have either eventIds, or from and to/ },
    { request: { from: '2026-05-04T00:00:00Z' }, message: /^body must have either eventIds, or from and to/ },
    {
      request: { eventIds: ['a'.repeat(32)], from: '2026-05-04T00:00:00Z' },
      message: /^body must have either eventIds/,
    },
    { request: { from: '2026-05-04', to: '2026-05-05T00:00:00Z' }, message: /^body\/from must be an instant/ },
    { request: { from: '2026-05-04T00:00:00Z', to: '2026-06-30T23:59:60Z' }, message: /^body\/to must be an instant/ },
    { request: { from: '2026-05-05T00:00:00Z', to: '2026-05-04T00:00:00Z' }, message: /^body\/to must not be before/ },
    {
      request: { from: '2026-05-04T00:00:00Z', to: '2026-05-05T00:00:00Z', next: 'f'.repeat(32) },
      message: /^body\/next must be of a replay with the same from and to/,
    },
  ])('get an error for an invalid request of a replay: $message', async ({ request, message }) => {
    const { id } = await createWebhook()
    const { status, body } = await manage('POST', `/webhooks/${id}/replay`, request)
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(message)])
  })

  test('replay a time range with more events than the maximum in several calls, and page the deliveries', async () => {
    const { id } = await createWebhook()
    const { storage, ids } = setup.gateway
    const event = Array.from({ length: operationLimits.replayEventsMax + 1 }, () => ({
      id: ids.sequenced(),
      merchant,
      entity_id: channel,
      root_id: ids.ordered(),
      type: 'PAYMENT',
      action: null,
      payload: '{}',
      created_at_ms: 0,
    }))
    await storage.commit({ id: ids.ordered(), expectedVersions: [], rows: { event } })
    const range = { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' }
    const first = await manage('POST', `/webhooks/${id}/replay`, range)
    expect(first.body).toEqual({ deliveries: operationLimits.replayEventsMax, next: event.at(-1)?.id })
    const second = await manage('POST', `/webhooks/${id}/replay`, { ...range, next: first.body.next })
    expect(second.body).toEqual({ deliveries: 1 })
    const page = (await manage('GET', `/deliveries?webhookId=${id}`)).body
    expect([page.deliveries.length, page.next]).toEqual([limits.listMax, page.deliveries.at(-1).id])
    const nextPage = (await manage('GET', `/deliveries?webhookId=${id}&before=${page.next}`)).body
    expect(nextPage.deliveries[0].id < page.next).toBe(true)
  })
})
