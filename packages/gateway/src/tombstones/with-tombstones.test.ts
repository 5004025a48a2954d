import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory, type Storage, StorageError } from '@tollgate/storage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { accountRow } from '../testing/account-row.ts'
import { openTombstoneLog, readTombstones, tombstoneFiles, tombstoneLogId } from './tombstone-log.ts'
import { withTombstones } from './with-tombstones.ts'

let folder = ''
let file = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-erasures-'))
  file = join(folder, 'erasures.log')
})
afterEach(() => rmSync(folder, { recursive: true }))

const sealedAccount = (id: string) =>
  accountRow({ id, sealed: Uint8Array.of(1), wrapped_key: Uint8Array.of(2), key_id: 'k' })
const erasedAccounts = async () => (await readTombstones(file, 0)).accounts
const lines = () => readFileSync(file, 'utf8').split('\n').slice(1, -1)

/** A unit that erases the number of an account if the stored row equals `from`. */
const erasureOf = (id: string, from = sealedAccount(id)) => ({
  id: `erase ${id}`,
  expectedVersions: [],
  compareAndSets: [{ table: 'account' as const, from, to: accountRow({ id }) }],
  rows: {},
  erases: true,
})

async function openStorage(commit?: Storage['commit']) {
  const memory = openMemory()
  await memory.commit({ id: 'u', expectedVersions: [], rows: { account: [sealedAccount('a'), sealedAccount('b')] } })
  const log = await openTombstoneLog(folder)
  return withTombstones(commit ? { ...memory, commit } : memory, log)
}

test('an erasure is logged before it is committed', async () => {
  const storage = await openStorage(async () => {
    expect(lines()).toEqual(['+ a'])
    return { kind: 'committed' }
  })
  await storage.commit(erasureOf('a'))
  expect(await erasedAccounts()).toEqual(['a'])
  await storage.close()
})

test('a failed erasure is revoked in the log, and an erasure with an unknown outcome is not', async () => {
  const storage = await openStorage()
  expect(await storage.commit(erasureOf('a', accountRow({ id: 'a' })))).toEqual({ kind: 'stale' })
  expect([lines(), await erasedAccounts()]).toEqual([['+ a', '- a'], []])
  await storage.commit(erasureOf('a'))
  expect(await erasedAccounts()).toEqual(['a'])
  await storage.close()

  const full = await openStorage(() => Promise.reject(new StorageError('full', 'the disk is full')))
  await expect(full.commit(erasureOf('b'))).rejects.toThrow('the disk is full')
  expect(await erasedAccounts()).toEqual(['a'])
  await full.close()

  const failed = await openStorage(() => Promise.reject(new StorageError('unknown', 'the disk has failed')))
  await expect(failed.commit(erasureOf('b'))).rejects.toThrow('the disk has failed')
  expect(await erasedAccounts()).toEqual(['a', 'b'])
  await failed.close()
})

test('an account that two units erase at once counts as erased', async () => {
  const storage = await openStorage()
  const results = await Promise.all([storage.commit(erasureOf('a')), storage.commit(erasureOf('a'))])
  expect(results.map(({ kind }) => kind).toSorted()).toEqual(['committed', 'stale'])
  expect([lines(), await erasedAccounts()]).toEqual([['+ a', '+ a', '- a'], ['a']])
  await storage.close()
})

test('a failure whose beginning precedes the replayed part cancels no later erasure of the account', async () => {
  const storage = await openStorage()
  await storage.commit(erasureOf('a', accountRow({ id: 'a' })))
  await storage.commit(erasureOf('a'))
  expect(lines()).toEqual(['+ a', '- a', '+ a'])
  const fromByte = readFileSync(file, 'utf8').indexOf('- a')
  expect((await readTombstones(file, fromByte)).accounts).toEqual(['a'])
  await storage.close()
})

test('a unit that erases no account is not logged', async () => {
  const storage = await openStorage()
  await storage.commit({ id: 'u1', expectedVersions: [], rows: { account: [sealedAccount('c')] } })
  const rewrapped = { ...sealedAccount('a'), key_id: 'k2' }
  await storage.commit({
    id: 'u2',
    expectedVersions: [],
    compareAndSets: [{ table: 'account', from: sealedAccount('a'), to: rewrapped }],
    rows: {},
    erases: true,
  })
  expect(lines()).toEqual([])
  await storage.close()
})

test('a truncated line does not affect later ones', async () => {
  const storage = await openStorage()
  await storage.close()
  appendFileSync(file, '+ a')
  const reopened = await openStorage()
  await reopened.commit(erasureOf('b'))
  expect(await erasedAccounts()).toEqual(['a', 'b'])
  await reopened.close()
  writeFileSync(file, `${readFileSync(file, 'utf8')}+ `)
  await (await openStorage()).close()
  expect(await erasedAccounts()).toEqual(['a', 'b'])
})

test('a log keeps its id, and a foreign file or a log older than the data is refused', async () => {
  await (await openStorage()).close()
  const id = await tombstoneLogId(file)
  await (await openStorage()).close()
  expect(await tombstoneLogId(file)).toBe(id)
  await expect(readTombstones(file, 1000)).rejects.toThrow('is older than the data: put its newest copy in its place')
  writeFileSync(join(folder, 'erasures-of-another.log'), 'something else\n')
  writeFileSync(join(folder, 'erasures.txt'), 'something else\n')
  expect(
    tombstoneFiles(folder)
      .map((path) => path.slice(folder.length + 1))
      .toSorted(),
  ).toEqual(['erasures-of-another.log', 'erasures.log'])
  await expect(tombstoneLogId(join(folder, 'erasures-of-another.log'))).rejects.toThrow('is not a tombstone log')
})
