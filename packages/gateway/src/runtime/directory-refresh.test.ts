import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '@tollgate/storage'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { createDirectoryRefresh } from './directory-refresh.ts'
import { sandboxIds } from '@tollgate/operations'
import { cardPayment, summary, testGateway } from '../testing/test-gateway.ts'

// These peers exchange no notifications of changes.
const peers = {
  listen: () => undefined,
  publish: () => Promise.resolve(),
  lock: () => Promise.resolve(undefined),
}

describe('two processes', async () => {
  const data = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
  const storage = { ...openMemory(), peers }
  const creator = await testGateway({ storage, data })
  const reader = await testGateway({ storage, data })
  afterAll(async () => {
    await creator.close()
    await reader.close()
    rmSync(data, { recursive: true })
  })
  /** Replaces the refresh by a new one, which needs no pause before its first reload. */
  beforeEach(() =>
    Object.assign(reader.gateway, {
      refreshDirectory: createDirectoryRefresh(reader.gateway.directory, peers, () => 0),
    }),
  )

  const pay = (entityId: string, authorization: string) =>
    reader.send('POST', '/v1/payments', cardPayment({ entityId }), { authorization })

  test('a token that one process created is valid in the other from the first request on', async () => {
    const { body } = await creator.manage('POST', '/tokens', { entityId: sandboxIds.merchant })
    expect(summary(await pay(sandboxIds.channel, `Bearer ${body.token}`))).toEqual([200, '000.100.110'])
  })

  test('a channel that one process created is usable in the other from the first request on', async () => {
    const channel = { kind: 'channel', name: 'new', parentId: sandboxIds.merchant }
    const { body } = await creator.manage('POST', '/entities', channel)
    const payment = await reader.send('POST', '/v1/payments', cardPayment({ entityId: body.id }))
    expect(summary(payment)).toEqual([200, '000.100.110'])
  })

  test('an unknown token is refused', async () => {
    expect((await pay(sandboxIds.channel, 'Bearer bm9ib2R5')).status).toBe(403)
  })
})

test('concurrent requests share a refresh, and the next refresh begins after a pause', async () => {
  const reloads: ((error?: Error) => void)[] = []
  let nowMs = 0
  const reload = () =>
    new Promise<void>((resolve, reject) => void reloads.push((error) => (error ? reject(error) : resolve())))
  const refresh = createDirectoryRefresh({ reload }, peers, () => nowMs)
  if (!refresh) throw new Error('no refresh in spite of peers')
  const concurrent = [refresh(), refresh()]
  expect(reloads).toHaveLength(1)
  reloads[0]?.(new Error('not now'))
  await Promise.all(concurrent)
  nowMs = limits.directoryRefreshMs - 1
  await refresh()
  expect(reloads).toHaveLength(1)
  nowMs = limits.directoryRefreshMs
  const next = refresh()
  expect(reloads).toHaveLength(2)
  reloads[1]?.()
  await next
})

test('without peers there is no refresh', () => {
  expect(createDirectoryRefresh({ reload: () => Promise.reject(new Error('no')) }, undefined, () => 0)).toBeUndefined()
})
