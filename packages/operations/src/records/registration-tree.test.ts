import { openMemory, type Storage } from '@tollgate/storage'
import { expect, test } from 'vitest'
import { cardWithoutPayment, testGateway } from '@tollgate/gateway/testing'

/** A storage in which something happens after the first read of a registration or its tree that follows. */
function intruded(): { readonly storage: Storage; readonly afterRead: (intrude: () => Promise<unknown>) => void } {
  const memory = openMemory()
  let next: (() => Promise<unknown>) | undefined
  const then = async <T>(answer: Promise<T>): Promise<T> => {
    const read = await answer
    const intrude = next
    next = undefined
    await intrude?.()
    return read
  }
  return {
    storage: {
      ...memory,
      treeOf: (id) => then(memory.treeOf(id)),
      registration: (id) => then(memory.registration(id)),
    },
    afterRead: (intrude) => void (next = intrude),
  }
}

test('a deletion that another change overtakes erases what that one stored', async () => {
  const { storage, afterRead } = intruded()
  const tollgate = await testGateway({ storage })
  const { body: stored } = await tollgate.send('POST', '/v1/registrations', cardWithoutPayment())
  const account = await storage.account(stored.id)
  const registration = await storage.registration(stored.id)
  if (!account || !registration) throw new Error('nothing was stored')
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
