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
import { selfSignedCertificate } from '../testing/certificate.ts'
import { hostSettings } from '../testing/host-settings.ts'
import { subscribe } from '../testing/webhook-receiver.ts'
import { limits } from '../limits.ts'
import { type BackgroundTask, openAccountNumber, openCredentials, sandboxIds } from '@tollgate/operations'
import { rewrap } from './rewrap.task.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await testGateway()
})
afterEach(() => tollgate.close())

const pay = async (): Promise<string> => (await tollgate.send('POST', '/v1/payments', cardPayment())).body.id
const register = async (): Promise<string> =>
  (await tollgate.send('POST', '/v1/registrations', cardWithoutPayment())).body.id
const accountOf = async (id: string): Promise<AccountRow> => {
  const row = await tollgate.gateway.storage.account(id)
  if (!row) throw new Error('there is no such account')
  return row
}
const rotate = async () => {
  await tollgate.gateway.keys.rotate('encryption')
  await tollgate.gateway.keys.rotate('fingerprint')
}
const runToEnd = async (task: BackgroundTask) => {
  let steps = 1
  while ((await task.step()) === 'more') steps += 1
  return steps
}

/** The keys of a record, and whether its fingerprint is that of its number; `shredded` without a number. */
async function stateOf(id: string) {
  const { vault } = tollgate.gateway
  const row = await accountOf(id)
  const { sealed, wrapped_key: wrappedKey, key_id: keyId, fingerprint } = row
  if (!sealed || !wrappedKey || keyId === null) return 'shredded'
  const number = vault.unseal({ sealed, wrappedKey, keyId }, row)
  const isMatching = Buffer.compare(vault.fingerprint(number), fingerprint ?? new Uint8Array()) === 0
  return { keyId, fingerprintKeyId: row.fingerprint_key_id, isMatching }
}
/** The state of a record under the current keys. */
const currentState = () => {
  const { encryption, fingerprint } = tollgate.gateway.vault.keyIds()
  return { keyId: encryption.current, fingerprintKeyId: fingerprint.current, isMatching: true }
}

test('the account numbers of terms are rewrapped, and open under the current keys only', async () => {
  const { gateway, manage } = tollgate
  const account = { holder: 'Shop Ltd', iban: 'DE89370400440532013000' }
  const terms = { payouts: { schedule: 'manual', account } }
  expect(await manage('POST', `/entities/${sandboxIds.merchant}/merchant-terms`, terms)).toMatchObject({ status: 201 })
  const [before] = await gateway.storage.merchantTerms()
  await rotate()
  await runToEnd(rewrap(gateway))
  const [after] = await gateway.storage.merchantTerms()
  if (!before || !after) throw new Error('there are no terms')
  expect([after.key_id, after.sealed]).toEqual([gateway.vault.keyIds().encryption.current, before.sealed])
  expect(after.key_id).not.toBe(before.key_id)
  expect(openAccountNumber(gateway.vault, after)?.use((bytes) => Buffer.from(bytes).toString())).toBe(account.iban)
  expect(() => openAccountNumber(gateway.vault, { ...after, entity_id: sandboxIds.channel })).toThrow(
    'sealed for another row',
  )
})

test('every record is rewrapped under the current keys, and its sealed number stays the same', async () => {
  const ids = [await pay(), await register(), await pay()]
  const before = await Promise.all(ids.map(accountOf))
  await rotate()
  const after = await pay()
  await runToEnd(rewrap(tollgate.gateway))
  for (const id of [...ids, after]) expect(await stateOf(id)).toEqual(currentState())
  expect((await Promise.all(ids.map(accountOf))).map(({ sealed }) => sealed)).toEqual(
    before.map(({ sealed }) => sealed),
  )
  const paid = await tollgate.send('POST', `/v1/registrations/${ids[1]}/payments`, {
    amount: '1.00',
    currency: 'EUR',
    paymentType: 'DB',
  })
  expect(paid.body.result.code).toBe('000.100.110')
})

test('a rotation of one key does not change values under the other', async () => {
  const id = await pay()
  const before = await accountOf(id)
  await tollgate.gateway.keys.rotate('encryption')
  const task = rewrap(tollgate.gateway)
  await runToEnd(task)
  const rewrapped = await accountOf(id)
  expect(rewrapped).toEqual({ ...before, key_id: rewrapped.key_id, wrapped_key: rewrapped.wrapped_key })
  expect(await stateOf(id)).toEqual(currentState())
  await tollgate.gateway.keys.rotate('fingerprint')
  await runToEnd(task)
  expect(await stateOf(id)).toEqual(currentState())
  expect((await accountOf(id)).wrapped_key).toEqual(rewrapped.wrapped_key)
})

test('a sweep has bounded, durable steps, and another process continues it', async () => {
  const ids: string[] = []
  for (let count = 0; count < limits.rewrapAccounts + 5; count += 1) ids.push(await pay())
  await rotate()
  await rewrap(tollgate.gateway).step()
  const keyIds = async () => (await Promise.all(ids.map(accountOf))).map(({ key_id: id }) => id)
  const isCurrent = (id: string | null) => id === tollgate.gateway.vault.keyIds().encryption.current
  expect((await keyIds()).filter(isCurrent)).toHaveLength(limits.rewrapAccounts)
  // A new task has no state of the previous one, like the task of another process.
  expect(await runToEnd(rewrap(tollgate.gateway))).toBe(3)
  expect((await keyIds()).every(isCurrent)).toBe(true)
})

test('a sweep begins after the operations in flight, which may still write a record under the old key', async () => {
  const id = await pay()
  const rowUnderOldKey = await accountOf(id)
  let end = () => {}
  const inFlight = tollgate.gateway.commands.execute({ requestId: 'r', atMs: 0 }, undefined, async () => {
    await new Promise<void>((resolve) => (end = resolve))
    return { answer: { status: 200, code: '000.000.000', body: '' }, account: rowUnderOldKey }
  })
  await rotate()
  const task = rewrap(tollgate.gateway)
  const sweep = runToEnd(task)
  await new Promise((resolve) => setImmediate(resolve))
  expect(await accountOf(id)).toEqual(rowUnderOldKey)
  end()
  await Promise.all([inFlight, sweep])
  expect(await stateOf(id)).toEqual(currentState())
})

test('a sweep reads no account if the ring contains one key of each purpose', async () => {
  await pay()
  const storage = {
    ...tollgate.gateway.storage,
    accountsAfter: () => Promise.reject(new Error('the accounts were read')),
  }
  expect(await rewrap({ ...tollgate.gateway, storage }).step()).toBe('done')
})

test('a card that is deleted during a sweep stays deleted, and other cards are rewrapped', async () => {
  const [deleted, kept] = [await register(), await register()]
  await rotate()
  const { storage } = tollgate.gateway
  let isDeleted = false
  const task = rewrap({
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
  await runToEnd(task)
  expect(await stateOf(deleted)).toBe('shredded')
  expect(await stateOf(kept)).toEqual(currentState())
})

test.each<{ change: string; method: 'DELETE' | 'POST'; form: Form }>([
  { change: 'a deletion', method: 'DELETE', form: {} },
  { change: 'a change of the number', method: 'POST', form: cardWithoutPayment({ 'card.number': '4111111111111111' }) },
])('$change that conflicts with a rewrap is decided again, and erases the account', async ({ method, form }) => {
  const id = await register()
  await rotate()
  const { storage, commands } = tollgate.gateway
  // The sweep does not wait for requests in flight, like a sweep that began before the request.
  const task = rewrap({ ...tollgate.gateway, commands: { ...commands, inFlightEnded: async () => undefined } })
  const readAccount = storage.account.bind(storage)
  // The record is rewrapped between the read of the account and the commit.
  let isRewrapped = false
  Object.assign(storage, {
    async account(accountId: string) {
      const row = await readAccount(accountId)
      if (!isRewrapped) {
        isRewrapped = true
        await runToEnd(task)
      }
      return row
    },
  })
  expect((await tollgate.send(method, `/v1/registrations/${id}`, form)).status).toBe(200)
  expect(isRewrapped).toBe(true)
  expect(await stateOf(id)).toBe('shredded')
  expect((await accountOf(id)).fingerprint_key_id).toBe(currentState().fingerprintKeyId)
})

test('a sweep removes the fingerprint of a deleted card, because it matches nothing under the new key', async () => {
  const id = await register()
  await tollgate.send('DELETE', `/v1/registrations/${id}`)
  expect((await accountOf(id)).fingerprint).not.toBeNull()
  await rotate()
  await runToEnd(rewrap(tollgate.gateway))
  const row = await accountOf(id)
  expect([row.fingerprint, row.fingerprint_key_id, row.sealed]).toEqual([null, null, null])
})

test('a record that cannot be opened is logged and skipped, and other records are rewrapped', async () => {
  const ids = [await pay(), await pay()]
  const [damaged = ''] = ids
  const row = { ...(await accountOf(damaged)), wrapped_key: new Uint8Array(40) }
  await tollgate.gateway.storage.commit({ id: 'u', expectedVersions: [], rows: { account: [row] } })
  await rotate()
  await runToEnd(rewrap(tollgate.gateway))
  expect(await accountOf(damaged)).toEqual(row)
  expect(await stateOf(ids[1] ?? '')).toEqual(currentState())
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

test('numbers that a sweep opens are wiped', async () => {
  const { vault } = tollgate.gateway
  const opened: Secret[] = []
  await pay()
  await rotate()
  const observedVault = {
    ...vault,
    unseal(...args: Parameters<typeof vault.unseal>) {
      const number = vault.unseal(...args)
      opened.push(number)
      return number
    },
  }
  await runToEnd(rewrap({ ...tollgate.gateway, vault: observedVault }))
  expect(opened.map((number) => number.use((bytes) => bytes.every((byte) => byte === 0)))).toEqual([true])
})

test('keys of webhooks are rewrapped, and the old key can be retired afterwards', async () => {
  const { id, receiver } = await subscribe(tollgate, { entityId: sandboxIds.channel })
  const { keys, vault, webhooks, storage, jobs, clock } = tollgate.gateway
  const { current: old } = vault.keyIds().encryption
  const webhookKeys = (await tollgate.manage('POST', `/webhooks/${id}/keys`)).body.keys
  expect(webhookKeys.length).toBe(2)
  await keys.rotate('encryption')
  expect((await keys.status()).remaining).toBe(2)
  await expect(keys.retire(old)).rejects.toThrow('2 records still need')
  await runToEnd(rewrap(tollgate.gateway))
  const wrapped = (rows: readonly WebhookKeyRow[]) => rows.map((row) => Buffer.from(row.wrapped_key).toString('hex'))
  expect(wrapped(await storage.webhookKeys())).toEqual(wrapped(webhooks.keysOf(id)))
  expect((await keys.status()).remaining).toBe(0)
  await keys.retire(old)
  await pay()
  await jobs.fastForward(clock.now())
  expect(receiver.received.length).toBe(1)
  await receiver.close()
})

test('credentials of connectors are rewrapped, and the connections stay as they are', async () => {
  const { cert: certificate, key } = selfSignedCertificate(['gateway.example'])
  const settings = hostSettings(7, { tls: {} })
  const credentials = { certificate, key }
  const { manage, gateway } = tollgate
  await manage('POST', '/connectors', { name: 'plain', kind: 'iso8583', settings: hostSettings(8) })
  await manage('POST', '/connectors', { name: 'sealed', kind: 'iso8583', settings, credentials })
  const { keys, vault, storage, connectors } = gateway
  const { current: old } = vault.keyIds().encryption
  const running = connectors.find('sealed')?.connector
  await keys.rotate('encryption')
  await expect(keys.retire(old)).rejects.toThrow('1 records still need')
  await runToEnd(rewrap(gateway))
  await keys.retire(old)
  const rows = await storage.connectors()
  expect(rows.map((row) => row.key_id)).toEqual([null, vault.keyIds().encryption.current])
  expect(rows.map((row) => openCredentials(vault, row))).toEqual([undefined, credentials])
  expect(connectors.find('sealed')?.connector).toBe(running)
})

test('a connector that a peer changes during the sweep is rewrapped with its change', async () => {
  const { cert: certificate, key } = selfSignedCertificate(['gateway.example'])
  const settings = hostSettings(7, { tls: {} })
  const { manage, gateway } = tollgate
  await manage('POST', '/connectors', { name: 'acme', kind: 'iso8583', settings, credentials: { certificate, key } })
  const { keys, vault, storage, ids } = gateway
  const [from] = await storage.connectors()
  if (!from) throw new Error('the connector is not stored')
  const compareAndSets = [{ table: 'connector' as const, from, to: { ...from, state: 'disabled' } }]
  await storage.commit({ id: ids.ordered(), expectedVersions: [], compareAndSets, rows: {} })
  await keys.rotate('encryption')
  await runToEnd(rewrap(gateway))
  expect(await storage.connectors()).toMatchObject([{ state: 'disabled', key_id: vault.keyIds().encryption.current }])
})
