import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '@tollgate/storage'
import { afterAll, expect, test } from 'vitest'
import { sandboxIds } from '@tollgate/operations'
import { testGateway } from '../../testing/test-gateway.ts'

// Two processes on one storage, without notifications of changes by the other one.

const data = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
const storage = openMemory()
const one = await testGateway({ storage, data })
const other = await testGateway({ storage, data })
afterAll(async () => {
  await one.close()
  await other.close()
  rmSync(data, { recursive: true })
})

const { merchant, channel } = sandboxIds

test('a token that one process has revoked is not rotated by the other', async () => {
  const { id } = (await one.manage('POST', '/tokens', { entityId: merchant })).body
  await other.gateway.directory.reload()
  await one.manage('DELETE', `/tokens/${id}`)
  expect((await other.manage('POST', `/tokens/${id}/rotate`, {})).status).toBe(409)
  const stored = await storage.accessTokens()
  expect(stored.find((row) => row.id === id)?.revoked_at_ms).toBe(one.clock.nowMs)
})

test('a revocation prevails over a concurrent rotation by the other process', async () => {
  const { id } = (await one.manage('POST', '/tokens', { entityId: merchant })).body
  await Promise.all([other.manage('POST', `/tokens/${id}/rotate`, {}), one.manage('DELETE', `/tokens/${id}`)])
  const stored = await storage.accessTokens()
  expect(stored.find((row) => row.id === id)?.revoked_at_ms).toBe(one.clock.nowMs)
})

test('concurrent changes of one entity by two processes are all applied', async () => {
  await Promise.all([
    one.manage('PATCH', `/entities/${channel}`, { settings: { enabled: false } }),
    other.manage('PATCH', `/entities/${channel}`, { settings: { clearingCutOffHours: 3 } }),
  ])
  const settings = (await storage.entities()).find(({ id }) => id === channel)?.settings ?? ''
  expect(JSON.parse(settings)).toMatchObject({ enabled: false, clearingCutOffHours: 3 })
})

test('a webhook that one process deleted is not restored by the other', async () => {
  const { id } = (await one.manage('POST', '/webhooks', { entityId: channel, url: 'http://127.0.0.1:9/' })).body
  await other.gateway.webhooks.reload()
  await one.manage('DELETE', `/webhooks/${id}`)
  expect((await other.manage('POST', `/webhooks/${id}/keys`)).status).toBe(404)
  expect((await storage.webhooks()).find((row) => row.id === id)?.deleted_at_ms).toBe(one.clock.nowMs)
  expect(await storage.webhookKeys()).toEqual([])
})
