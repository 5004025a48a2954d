import { describe, expect, test } from 'vitest'
import { webhookTests } from '../../testing/webhook-tests.ts'

const setup = webhookTests()
const { createWebhook, pay, runDueJobs, deliveriesOf, manage } = setup

describe('operators', () => {
  test('dead-letter a delivery, and retry it only while its webhook is active', async () => {
    const { id, receiver } = await createWebhook()
    await pay()
    const [{ id: deliveryId }] = await deliveriesOf(id, 'waiting')
    const deadLettered = await manage('POST', `/deliveries/${deliveryId}/park`)
    expect(deadLettered.body).toMatchObject({ state: 'parked', lastError: 'parked by an operator' })
    setup.clock.nowMs += 1
    expect((await manage('POST', `/deliveries/${deliveryId}/park`)).text).toBe(deadLettered.text)
    await runDueJobs()
    expect(receiver.received).toEqual([])
    await manage('PATCH', `/webhooks/${id}`, { state: 'disabled' })
    const refused = await manage('POST', `/deliveries/${deliveryId}/retry`)
    expect([refused.status, refused.body.error.message]).toEqual([409, `The webhook ${id} is disabled: test it first.`])
    await manage('POST', `/webhooks/${id}/test`)
    await manage('POST', `/deliveries/${deliveryId}/retry`)
    await runDueJobs()
    expect(receiver.received.length).toBe(1)
  })
})
