import { MINUTE_MS } from '@tollgate/contract'
import { describe, expect, test } from 'vitest'
import { isSignedBy } from '../../testing/webhook-receiver.ts'
import { webhookTests } from '../../testing/webhook-tests.ts'

const { createWebhook, pay, runDueJobs, fastForward, manage } = webhookTests()

describe('operators', () => {
  test('replace a key: a test delivery activates the new one, and the old one signs during the overlap', async () => {
    const { id, receiver } = await createWebhook()
    const [oldKey = ''] = receiver.keys
    const { key: lostKey } = (await manage('POST', `/webhooks/${id}/keys`)).body
    const rotated = await manage('POST', `/webhooks/${id}/keys`)
    expect(rotated.body.keys.map(({ state }: { state: string }) => state)).toEqual(['current', 'pending'])
    const { key: newKey } = rotated.body
    expect(new Set([oldKey, lostKey, newKey]).size).toBe(3)
    await pay()
    await runDueJobs()
    expect(receiver.received.length).toBe(1)
    expect((await manage('POST', `/webhooks/${id}/test`)).body.delivered).toBe(false)
    receiver.keys.push(newKey)
    const { body } = await manage('POST', `/webhooks/${id}/test`, { overlapSeconds: 60 })
    expect(body.webhook.keys.map(({ state }: { state: string }) => state)).toEqual(['ending', 'current'])
    const signersOfNext = async () => {
      receiver.keys.splice(0, receiver.keys.length, newKey)
      await pay()
      await runDueJobs()
      const { headers, body: sent } = receiver.received.at(-1) ?? { headers: {}, body: '' }
      return [isSignedBy(newKey, headers, sent), isSignedBy(oldKey, headers, sent)]
    }
    expect(await signersOfNext()).toEqual([true, true])
    await fastForward(MINUTE_MS)
    expect(await signersOfNext()).toEqual([true, false])
    expect(receiver.received.length).toBe(3)
  })
  test('remove the old key at once with an overlap of zero', async () => {
    const { id, receiver } = await createWebhook()
    const { key } = (await manage('POST', `/webhooks/${id}/keys`)).body
    receiver.keys.push(key)
    const { body } = await manage('POST', `/webhooks/${id}/test`, { overlapSeconds: 0 })
    expect(body.webhook.keys.map(({ state }: { state: string }) => state)).toEqual(['current'])
  })
})
