import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '@tollgate/storage'
import { afterAll, expect, test } from 'vitest'
import { sandboxIds } from '@tollgate/operations'
import { testGateway } from '../../testing/test-gateway.ts'

// Two gateways on one storage stand for two processes. Neither gateway is notified of the changes of its peer.

const data = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
const storage = openMemory()
const first = await testGateway({ storage, data })
const second = await testGateway({ storage, data })
afterAll(async () => {
  await first.close()
  await second.close()
  rmSync(data, { recursive: true })
})

const { merchant, channel } = sandboxIds

test('a token that one process has revoked is not rotated by its peer', async () => {
  const { id } = (await first.manage('POST', '/tokens', { entityId: merchant })).body
  await second.gateway.directory.reload()
  await first.manage('DELETE', `/tokens/${id}`)
  expect((await second.manage('POST', `/tokens/${id}/rotate`, {})).status).toBe(409)
  const stored = await storage.accessTokens()
  expect(stored.find((row) => row.id === id)?.revoked_at_ms).toBe(first.clock.nowMs)
})

test('a revocation prevails over a concurrent rotation by a peer', async () => {
  const { id } = (await first.manage('POST', '/tokens', { entityId: merchant })).body
  await Promise.all([second.manage('POST', `/tokens/${id}/rotate`, {}), first.manage('DELETE', `/tokens/${id}`)])
  const stored = await storage.accessTokens()
  expect(stored.find((row) => row.id === id)?.revoked_at_ms).toBe(first.clock.nowMs)
})

test('concurrent changes of one entity by two processes are all applied', async () => {
  await Promise.all([
    first.manage('PATCH', `/entities/${channel}`, { settings: { enabled: false } }),
    second.manage('PATCH', `/entities/${channel}`, { settings: { clearingCutOffHours: 3 } }),
  ])
  const settings = (await storage.entities()).find(({ id }) => id === channel)?.settings ?? ''
  expect(JSON.parse(settings)).toMatchObject({ enabled: false, clearingCutOffHours: 3 })
})

test('a webhook that one process has deleted is not restored by its peer', async () => {
  const { id } = (await first.manage('POST', '/webhooks', { entityId: channel, url: 'http://127.0.0.1:9/' })).body
  await second.gateway.webhooks.reload()
  await first.manage('DELETE', `/webhooks/${id}`)
  expect((await second.manage('POST', `/webhooks/${id}/keys`)).status).toBe(404)
  expect((await storage.webhooks()).find((row) => row.id === id)?.deleted_at_ms).toBe(first.clock.nowMs)
  expect(await storage.webhookKeys()).toEqual([])
})
