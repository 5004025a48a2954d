import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '@tollgate/storage'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { createDirectoryRefresh } from './directory-refresh.ts'
import { sandboxIds } from '@tollgate/operations'
import { cardPayment, summary, testGateway } from '../testing/test-gateway.ts'

// The processes exchange no notifications of changes here.
const peers = {
  listen: () => undefined,
  publish: () => Promise.resolve(),
  lock: () => Promise.resolve(undefined),
}

describe('two processes', async () => {
  const data = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
  const storage = { ...openMemory(), peers }
  const one = await testGateway({ storage, data })
  const other = await testGateway({ storage, data })
  afterAll(async () => {
    await one.close()
    await other.close()
    rmSync(data, { recursive: true })
  })
  /** A new refresh, which needs no pause before its first reload. */
  beforeEach(() =>
    Object.assign(other.gateway, { refreshDirectory: createDirectoryRefresh(other.gateway.directory, peers, () => 0) }),
  )

  const pay = (entityId: string, authorization: string) =>
    other.send('POST', '/v1/payments', cardPayment({ entityId }), { authorization })

  test('a token of one process is valid in the other from the first request on', async () => {
    const { body } = await one.manage('POST', '/tokens', { entityId: sandboxIds.merchant })
    expect(summary(await pay(sandboxIds.channel, `Bearer ${body.token}`))).toEqual([200, '000.100.110'])
  })

  test('a channel of one process is usable in the other from the first request on', async () => {
    const channel = { kind: 'channel', name: 'new', parentId: sandboxIds.merchant }
    const { body } = await one.manage('POST', '/entities', channel)
    const payment = await other.send('POST', '/v1/payments', cardPayment({ entityId: body.id }))
    expect(summary(payment)).toEqual([200, '000.100.110'])
  })

  test('an unknown token is refused', async () => {
    expect((await pay(sandboxIds.channel, 'Bearer bm9ib2R5')).status).toBe(403)
  })
})

test('concurrent requests share a refresh, requests soon after it cause none, and the wait is bounded', async () => {
  const reads: ((error?: Error) => void)[] = []
  let nowMs = 0
  const reload = () =>
    new Promise<void>((resolve, reject) => void reads.push((error) => (error ? reject(error) : resolve())))
  const refresh = createDirectoryRefresh({ reload }, peers, () => nowMs)
  if (!refresh) throw new Error('no refresh in spite of peers')
  const concurrent = [refresh(), refresh()]
  expect(reads).toHaveLength(1)
  reads[0]?.(new Error('not now'))
  await Promise.all(concurrent)
  nowMs = limits.directoryRefreshMs - 1
  await refresh()
  expect(reads).toHaveLength(1)
  nowMs = limits.directoryRefreshMs
  const next = refresh()
  expect(reads).toHaveLength(2)
  reads[1]?.()
  await next
})

test('without peers there is no refresh', () => {
  expect(createDirectoryRefresh({ reload: () => Promise.reject(new Error('no')) }, undefined, () => 0)).toBeUndefined()
})
