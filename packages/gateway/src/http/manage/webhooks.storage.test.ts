import { DAY_MS } from '@tollgate/contract'
import { openMemory } from '@tollgate/storage'
import { describe, expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { sandboxIds } from '@tollgate/operations'
import { cardPayment, testGateway } from '../../testing/test-gateway.ts'
import { webhookTests } from '../../testing/webhook-tests.ts'

const { channel } = sandboxIds

const setup = webhookTests()
const { createWebhook, startReceiver, createWebhookOf, pay, runDueJobs, fastForward, deliveriesOf, manage } = setup

describe('operators', () => {
  test('register a webhook, which gets no events until a test delivery has succeeded', async () => {
    const receiver = await startReceiver()
    const created = await manage('POST', '/webhooks', { entityId: channel, url: receiver.url })
    expect([created.status, created.body]).toMatchObject([
      201,
      {
        entityId: channel,
        url: receiver.url,
        types: ['PAYMENT', 'REGISTRATION'],
        fieldFilter: 'ALL',
        wrapper: 'text',
        state: 'inactive',
        keys: [{ state: 'pending' }],
        key: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
    const { id, key, signingSecret } = created.body
    expect(Buffer.from(signingSecret.slice('whsec_'.length), 'base64').toString('hex')).toBe(key)
    const shown = await manage('GET', `/webhooks/${id}`)
    expect(shown.text).not.toContain(key)
    expect(shown.body).not.toHaveProperty('signingSecret')
    await pay()
    // The receiver cannot decrypt the delivery without the key.
    expect((await manage('POST', `/webhooks/${id}/test`)).body).toMatchObject({
      delivered: false,
      httpStatus: 400,
      error: 'HTTP 400',
      answer: 'no key decrypts the body',
      webhook: { state: 'inactive' },
    })
    receiver.keys.push(key)
    let testEvent: unknown
    receiver.answer = ({ json, isSigned }) => {
      testEvent = [json, isSigned]
      return { status: 200 }
    }
    expect((await manage('POST', `/webhooks/${id}/test`)).body).toMatchObject({
      delivered: true,
      webhook: { state: 'active', keys: [{ state: 'current' }] },
    })
    expect(testEvent).toEqual([{ type: 'test', action: 'webhook activation', payload: {} }, true])
    await runDueJobs()
    expect(await deliveriesOf(id)).toEqual([])
    await pay()
    await runDueJobs()
    expect(receiver.received.length).toBe(1)
  })

  test.each([
    { changes: { url: 'ftp://shop.example' }, message: 'body/url is not allowed: the scheme of the URL is not https' },
    { changes: { types: ['RISK'] }, message: 'body/types/0 must be one of PAYMENT, REGISTRATION' },
    { changes: { types: [] }, message: 'body/types must NOT have fewer than 1 items' },
    { changes: { wrapper: 'xml' }, message: 'body/wrapper must be one of text, json' },
    { changes: { fieldFilter: 'SOME' }, message: 'body/fieldFilter must be one of ALL, NON_CUSTOMER_DATA' },
  ])('get an error for an invalid webhook: $message', async ({ changes, message }) => {
    const url = 'https://shop.example/hook'
    const { status, body } = await manage('POST', '/webhooks', { entityId: channel, url, ...changes })
    expect([status, body.error.message]).toEqual([400, message])
  })

  test('get errors for unknown objects, and for one webhook too many', async () => {
    const url = 'https://shop.example/hook'
    const unknownId = 'f'.repeat(32)
    expect((await manage('POST', '/webhooks', { entityId: unknownId, url })).status).toBe(404)
    for (const path of [`/webhooks/${unknownId}`, `/deliveries/${unknownId}`])
      expect((await manage('GET', path)).status).toBe(404)
    expect((await manage('GET', '/deliveries')).status).toBe(400)
    for (let count = 0; count < limits.webhooksMax; count += 1)
      expect((await manage('POST', '/webhooks', { entityId: channel, url })).status).toBe(201)
    expect((await manage('POST', '/webhooks', { entityId: channel, url })).status).toBe(409)
    expect((await manage('GET', `/webhooks?entityId=${channel}`)).body.total).toBe(limits.webhooksMax)
  })

  test('change the URL of an active webhook after a test delivery to it, unless the webhook changed', async () => {
    const { id, receiver } = await createWebhook()
    const next = await startReceiver()
    const refused = await manage('PATCH', `/webhooks/${id}`, { url: next.url })
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'The webhook was not changed, because the test delivery to the new URL failed: HTTP 400.',
    ])
    next.keys.push(...receiver.keys)
    const moved = await manage('PATCH', `/webhooks/${id}`, { url: next.url, wrapper: 'json' })
    expect(moved.body).toMatchObject({ url: next.url, wrapper: 'json', state: 'active' })
    await pay()
    await runDueJobs()
    expect([receiver.received.length, next.received.length]).toEqual([0, 1])
    receiver.answer = async () => {
      await manage('PATCH', `/webhooks/${id}`, { state: 'disabled' })
      return { status: 200 }
    }
    const concurrent = await manage('PATCH', `/webhooks/${id}`, { url: receiver.url })
    expect([concurrent.status, concurrent.body.error.message]).toEqual([
      409,
      'The webhook was modified concurrently; reload and retry.',
    ])
    expect((await manage('GET', `/webhooks/${id}`)).body).toMatchObject({ url: next.url, state: 'disabled' })
    expect((await manage('POST', `/webhooks/${id}/replay`, { eventIds: [id] })).status).toBe(409)
  })

  test('delete a webhook: waiting deliveries are dead-lettered, and its keys are removed', async () => {
    const { id, receiver } = await createWebhook()
    receiver.answer = () => ({ status: 500 })
    await pay()
    await runDueJobs()
    await pay()
    expect((await manage('DELETE', `/webhooks/${id}`)).body).toEqual({ id, state: 'deleted' })
    expect((await manage('GET', `/webhooks/${id}`)).status).toBe(404)
    expect((await manage('GET', '/webhooks')).body).toEqual({ webhooks: [], total: 0 })
    await fastForward(DAY_MS)
    expect(receiver.received.length).toBe(1)
    const { deliveries } = (await manage('GET', '/deliveries?state=parked')).body
    expect(deliveries).toMatchObject([
      { lastError: 'the webhook was deleted' },
      { lastError: 'the webhook was deleted' },
    ])
    expect(await setup.gateway.storage.webhookKeys()).toEqual([])
    const refused = await manage('POST', `/deliveries/${deliveries[0].id}/retry`)
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      `The webhook ${id} is deleted: replay the event to another one.`,
    ])
  })

  test('find the deliveries of a deleted webhook dead-lettered, even after an interrupted deletion', async () => {
    const storage = openMemory()
    const before = await testGateway({ storage })
    const { id, receiver } = await createWebhookOf(before)
    await before.send('POST', '/v1/payments', cardPayment())
    const [row] = await storage.webhooks()
    if (!row) throw new Error('the webhook is not stored')
    // The deletion is stored, but its deliveries are not yet dead-lettered.
    await storage.commit({
      id: 'u',
      expectedVersions: [],
      rows: { webhook: [{ ...row, state: 'disabled', deleted_at_ms: 1 }] },
    })
    const after = await testGateway({ storage, data: before.gateway.config.data })
    expect((await after.manage('GET', '/webhooks')).body.total).toBe(0)
    await after.gateway.jobs.fastForward(after.gateway.clock.now())
    const { deliveries } = (await after.manage('GET', '/deliveries?state=parked')).body
    expect(deliveries).toMatchObject([{ webhookId: id, lastError: 'the webhook is not active' }])
    expect(receiver.received).toEqual([])
    await after.close()
    await before.close()
  })
})
