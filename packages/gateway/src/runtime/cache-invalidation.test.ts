import { type Listener, openMemory } from '@tollgate/storage'
import { expect, test } from 'vitest'
import { testGateway } from '../testing/test-gateway.ts'

test('a failed reload is logged, and rejected so that the storage repeats the notification', async () => {
  const listeners: Listener[] = []
  const peers = {
    listen: (listener: Listener) => void listeners.push(listener),
    publish: () => Promise.resolve(),
    lock: () => Promise.resolve(undefined),
  }
  let isBroken = false
  const memory = openMemory()
  const webhooks = () => (isBroken ? Promise.reject(new Error('not now')) : memory.webhooks())
  const tollgate = await testGateway({ storage: { ...memory, webhooks, peers } })
  const [listener] = listeners
  await listener?.onChanges(new Set(['webhook']))
  expect(tollgate.logged).toEqual([])
  isBroken = true
  await expect(listener?.onChanges(new Set(['webhook']))).rejects.toThrow('not now')
  expect(tollgate.logged).toEqual([
    {
      level: 'error',
      worker: 'reload caches',
      error: 'Error',
      stack: expect.stringContaining('cache-invalidation.test'),
    },
  ])
  await tollgate.close()
})
