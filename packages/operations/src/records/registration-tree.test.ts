import { openMemory, type Storage } from '@tollgate/storage'
import { expect, test } from 'vitest'
import { cardWithoutPayment, testGateway } from '@tollgate/gateway/testing'

/** A storage that calls a function after the next read of a registration or its tree. */
function storageWithInterruption(): {
  readonly storage: Storage
  readonly afterRead: (interrupt: () => Promise<unknown>) => void
} {
  const memory = openMemory()
  let next: (() => Promise<unknown>) | undefined
  const withInterruption = async <T>(answer: Promise<T>): Promise<T> => {
    const rows = await answer
    const interrupt = next
    next = undefined
    await interrupt?.()
    return rows
  }
  return {
    storage: {
      ...memory,
      treeOf: (id) => withInterruption(memory.treeOf(id)),
      registration: (id) => withInterruption(memory.registration(id)),
    },
    afterRead: (interrupt) => void (next = interrupt),
  }
}

test('a deletion that decides again after a concurrent change erases the newly stored account', async () => {
  const { storage, afterRead } = storageWithInterruption()
  const tollgate = await testGateway({ storage })
  const { body: stored } = await tollgate.send('POST', '/v1/registrations', cardWithoutPayment())
  const account = await storage.account(stored.id)
  const registration = await storage.registration(stored.id)
  if (!account || !registration) throw new Error('the registration is not stored')
  const { id, merchant } = registration
  afterRead(() =>
    storage.commit({
      id: 'u',
      expectedVersions: [{ id, merchant, version: 1 }],
      rows: { account: [{ ...account, id: 'newer' }], registration: [{ ...registration, account_id: 'newer' }] },
    }),
  )
  const { status } = await tollgate.send('DELETE', `/v1/registrations/${id}`)
  expect([status, (await storage.account('newer'))?.sealed]).toEqual([200, null])
  await tollgate.close()
})
