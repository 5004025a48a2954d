import type { Secret } from '@tollgate/contract'
import type { AccountRow, WebhookKeyRow } from '@tollgate/storage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  cardWithoutPayment,
  cardPayment,
  type Parameters as Form,
  testGateway,
  type TestGateway,
} from '../testing/test-gateway.ts'
import { subscribe } from '../testing/webhook-receiver.ts'
import { limits } from '../limits.ts'
import { type BackgroundTask, sandboxIds } from '@tollgate/operations'
import { rewrap } from './rewrap.task.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await testGateway()
})
afterEach(() => tollgate.close())

const pay = async (): Promise<string> => (await tollgate.send('POST', '/v1/payments', cardPayment())).body.id
const register = async (): Promise<string> =>
  (await tollgate.send('POST', '/v1/registrations', cardWithoutPayment())).body.id
const account = async (id: string): Promise<AccountRow> => {
  const row = await tollgate.gateway.storage.account(id)
  if (!row) throw new Error('there is no such account')
  return row
}
const rotate = async () => {
  await tollgate.gateway.keys.rotate('encryption')
  await tollgate.gateway.keys.rotate('fingerprint')
}
const runOut = async (work: BackgroundTask) => {
  let steps = 1
  while ((await work.step()) === 'more') steps += 1
  return steps
}

/** The key of a record, and whether it can be decrypted. */
async function stateOf(id: string) {
  const { vault } = tollgate.gateway
  const row = await account(id)
  const { sealed, wrapped_key: wrappedKey, key_id: keyId, fingerprint } = row
  if (!sealed || !wrappedKey || keyId === null) return 'shredded'
  const number = vault.unseal({ sealed, wrappedKey, keyId }, row)
  const isKnown = Buffer.compare(vault.fingerprint(number), fingerprint ?? new Uint8Array()) === 0
  return { keyId, fingerprintKeyId: row.fingerprint_key_id, isKnown }
}
const current = () => {
  const { encryption, fingerprint } = tollgate.gateway.vault.keyIds()
  return { keyId: encryption.current, fingerprintKeyId: fingerprint.current, isKnown: true }
}

test('every record comes under the current keys, its number as it was sealed', async () => {
  const ids = [await pay(), await register(), await pay()]
  const before = await Promise.all(ids.map(account))
  await rotate()
  const after = await pay()
  await runOut(rewrap(tollgate.gateway))
  for (const id of [...ids, after]) expect(await stateOf(id)).toEqual(current())
  expect((await Promise.all(ids.map(account))).map(({ sealed }) => sealed)).toEqual(before.map(({ sealed }) => sealed))
  const paid = await tollgate.send('POST', `/v1/registrations/${ids[1]}/payments`, {
    amount: '1.00',
    currency: 'EUR',
    paymentType: 'DB',
  })
  expect(paid.body.result.code).toBe('000.100.110')
})

test('one of the keys alone leaves what is under the other as it was', async () => {
  const id = await pay()
  const before = await account(id)
  await tollgate.gateway.keys.rotate('encryption')
  const work = rewrap(tollgate.gateway)
  await runOut(work)
  const rewrapped = await account(id)
  expect(rewrapped).toEqual({ ...before, key_id: rewrapped.key_id, wrapped_key: rewrapped.wrapped_key })
  expect(await stateOf(id)).toEqual(current())
  await tollgate.gateway.keys.rotate('fingerprint')
  await runOut(work)
  expect(await stateOf(id)).toEqual(current())
  expect((await account(id)).wrapped_key).toEqual(rewrapped.wrapped_key)
})

test('in bounded steps, each of them durable: whoever comes after goes on where it was', async () => {
  const ids: string[] = []
  for (let count = 0; count < limits.rewrapAccounts + 5; count += 1) ids.push(await pay())
  await rotate()
  await rewrap(tollgate.gateway).step()
  const keyIds = async () => (await Promise.all(ids.map(account))).map(({ key_id: id }) => id)
  const isCurrent = (id: string | null) => id === tollgate.gateway.vault.keyIds().encryption.current
  expect((await keyIds()).filter(isCurrent)).toHaveLength(limits.rewrapAccounts)
  // As after a crash: another process, which knows nothing but the records.
  expect(await runOut(rewrap(tollgate.gateway))).toBe(3)
  expect((await keyIds()).every(isCurrent)).toBe(true)
})

test('begins once what was under way has ended, for that may still bring a record under the old key', async () => {
  const late = await pay()
  const underOldKey = await account(late)
  let end = () => {}
  const inFlight = tollgate.gateway.commands.execute({ requestId: 'r', atMs: 0 }, undefined, async () => {
    await new Promise<void>((resolve) => (end = resolve))
    return { answer: { status: 200, code: '000.000.000', body: '' }, account: underOldKey }
  })
  await rotate()
  const work = rewrap(tollgate.gateway)
  const walked = runOut(work)
  await new Promise((resolve) => setImmediate(resolve))
  expect(await account(late)).toEqual(underOldKey)
  end()
  await Promise.all([inFlight, walked])
  expect(await stateOf(late)).toEqual(current())
})

test('with one key of each kind there is nothing to do, and nothing is read', async () => {
  await pay()
  const storage = { ...tollgate.gateway.storage, accountsAfter: () => Promise.reject(new Error('it was read')) }
  expect(await rewrap({ ...tollgate.gateway, storage }).step()).toBe('done')
})

test('a card that is deleted while it is rewrapped stays deleted, and the others follow', async () => {
  const [deleted, kept] = [await register(), await register()]
  await rotate()
  const { storage } = tollgate.gateway
  let isDeleted = false
  const work = rewrap({
    ...tollgate.gateway,
    storage: {
      ...storage,
      async commit(unit) {
        if (unit.compareAndSets && !isDeleted) {
          isDeleted = true
          expect((await tollgate.send('DELETE', `/v1/registrations/${deleted}`)).status).toBe(200)
        }
        return storage.commit(unit)
      },
    },
  })
  await runOut(work)
  expect(await stateOf(deleted)).toBe('shredded')
  expect(await stateOf(kept)).toEqual(current())
})

test.each<{ what: string; method: 'DELETE' | 'POST'; form: Form }>([
  { what: 'a deletion', method: 'DELETE', form: {} },
  { what: 'a new number', method: 'POST', form: cardWithoutPayment({ 'card.number': '4111111111111111' }) },
])('$what that a rewrapping overtakes is decided again, and erases', async ({ method, form }) => {
  const id = await register()
  await rotate()
  const { storage, commands } = tollgate.gateway
  // The walk has begun before the deletion, for which it would wait otherwise.
  const work = rewrap({ ...tollgate.gateway, commands: { ...commands, settled: async () => undefined } })
  const read = storage.account.bind(storage)
  // Between the reading of the account and the commit, the record is rewrapped.
  let isOvertaken = false
  Object.assign(storage, {
    async account(name: string) {
      const row = await read(name)
      if (!isOvertaken) {
        isOvertaken = true
        await runOut(work)
      }
      return row
    },
  })
  expect((await tollgate.send(method, `/v1/registrations/${id}`, form)).status).toBe(200)
  expect(isOvertaken).toBe(true)
  expect(await stateOf(id)).toBe('shredded')
  expect((await account(id)).fingerprint_key_id).toBe(current().fingerprintKeyId)
})

test('of a deleted card the old fingerprint goes: it would recognise nothing any more', async () => {
  const id = await register()
  await tollgate.send('DELETE', `/v1/registrations/${id}`)
  expect((await account(id)).fingerprint).not.toBeNull()
  await rotate()
  await runOut(rewrap(tollgate.gateway))
  const row = await account(id)
  expect([row.fingerprint, row.fingerprint_key_id, row.sealed]).toEqual([null, null, null])
})

test('a record that does not open is told and left, and holds up no other', async () => {
  const ids = [await pay(), await pay()]
  const [damaged = ''] = ids
  const row = { ...(await account(damaged)), wrapped_key: new Uint8Array(40) }
  await tollgate.gateway.storage.commit({ id: 'u', expectedVersions: [], rows: { account: [row] } })
  await rotate()
  await runOut(rewrap(tollgate.gateway))
  expect(await account(damaged)).toEqual(row)
  expect(await stateOf(ids[1] ?? '')).toEqual(current())
  expect(tollgate.logged.filter(({ worker }) => worker === 'rewrap')).toEqual([
    {
      level: 'error',
      worker: 'rewrap',
      account: damaged,
      error: 'VaultError',
      fault: 'not authentic',
      stack: expect.stringContaining('vault'),
    },
  ])
})

test('numbers that it opens are wiped', async () => {
  const { vault } = tollgate.gateway
  const opened: Secret[] = []
  await pay()
  await rotate()
  const watched = {
    ...vault,
    unseal(...args: Parameters<typeof vault.unseal>) {
      const number = vault.unseal(...args)
      opened.push(number)
      return number
    },
  }
  await runOut(rewrap({ ...tollgate.gateway, vault: watched }))
  expect(opened.map((number) => number.use((bytes) => bytes.every((byte) => byte === 0)))).toEqual([true])
})

test('the keys of webhooks come along, and the old key is free to go once they have', async () => {
  const { id, receiver } = await subscribe(tollgate, { entityId: sandboxIds.channel })
  const { keys, vault, webhooks, storage, jobs, clock } = tollgate.gateway
  const { current: old } = vault.keyIds().encryption
  const added = (await tollgate.manage('POST', `/webhooks/${id}/keys`)).body.keys
  expect(added.length).toBe(2)
  await keys.rotate('encryption')
  expect((await keys.status()).remaining).toBe(2)
  await expect(keys.retire(old)).rejects.toThrow('2 records still need')
  await runOut(rewrap(tollgate.gateway))
  const wrapped = (rows: readonly WebhookKeyRow[]) => rows.map((row) => Buffer.from(row.wrapped_key).toString('hex'))
  expect(wrapped(await storage.webhookKeys())).toEqual(wrapped(webhooks.keysOf(id)))
  expect((await keys.status()).remaining).toBe(0)
  await keys.retire(old)
  await pay()
  await jobs.fastForward(clock.now())
  expect(receiver.received.length).toBe(1)
  await receiver.close()
})
