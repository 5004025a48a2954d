import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkUnit } from '../check-unit.ts'
import type { FlatUnit } from '../flat-unit.ts'
import { limits } from '../limits.ts'
import { expectedVersion, transaction, uniqueKey } from '../testing/sample-rows.ts'
import { applier } from './apply.ts'
import { compiledMigrations } from './compiled-migrations.ts'
import { type Database, openWriter } from './database.ts'
import { migrate } from './migrate.ts'
import { emptyPack, pack, toMessage, unpack } from './pack.ts'

let folder: string
let database: Database

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-apply-'))
  database = openWriter(join(folder, 'test.db'))
  migrate(database, compiledMigrations())
})

afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true })
})

const emptyUnit: FlatUnit = {
  expectedVersions: [],
  claim: undefined,
  unique: [],
  compareAndSets: [],
  rows: [],
}
/** A unit that creates a tree. */
function unit(id: string): FlatUnit {
  const batch = emptyPack()
  const expectedVersions = [expectedVersion(id)]
  pack(batch, checkUnit({ id, expectedVersions, rows: { payment_transaction: [transaction(id)] } }))
  const [flat = emptyUnit] = unpack(toMessage(batch)[0])
  return flat
}
const transactionCount = () => database.prepare('SELECT count(*) AS count FROM payment_transaction').get().count

test('a batch is refused while another program holds a lock, and the next one succeeds', () => {
  const applyUnits = applier(database)
  database.exec('PRAGMA busy_timeout = 1')
  const shell = openWriter(join(folder, 'test.db'))
  shell.exec('BEGIN IMMEDIATE')
  const refused = { kind: 'failed', error: { kind: 'unavailable', message: 'database is locked' } }
  expect(applyUnits([unit('p1'), unit('p2')])).toEqual([refused, refused])
  shell.exec('ROLLBACK')
  shell.close()
  expect(applyUnits([unit('p1'), unit('p2')])).toEqual([{ kind: 'committed' }, { kind: 'committed' }])
})

test('a batch on a damaged file throws an error of the kind unknown, and ends its transaction', () => {
  const { rootpage } = database.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'payment_transaction'`).get()
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const file = openSync(join(folder, 'test.db'), 'r+')
  writeSync(file, Buffer.alloc(limits.pageBytes, 0xff), 0, limits.pageBytes, (rootpage - 1) * limits.pageBytes)
  closeSync(file)

  const damaged = openWriter(join(folder, 'test.db'))
  expect(() => applier(damaged)([unit('p1')])).toThrow(
    expect.objectContaining({ name: 'StorageError', kind: 'unknown', message: 'database disk image is malformed' }),
  )
  expect(damaged.isTransaction).toBe(false)
  damaged.close()
})

test('a batch without a committed unit changes nothing and ends its transaction', () => {
  const applyUnits = applier(database)
  applyUnits([unit('p1')])
  expect(applyUnits([unit('p1'), unit('p1')])).toEqual([{ kind: 'stale' }, { kind: 'stale' }])
  expect(transactionCount()).toBe(1)
  expect(database.isTransaction).toBe(false)
})

test('a tree whose row has version 1, as earlier programs stored it, is followed up', () => {
  const applyUnits = applier(database)
  const { id, merchant } = expectedVersion('p1')
  applyUnits([unit(id)])
  database.prepare('INSERT INTO tree (id, merchant, version) VALUES (?, ?, 1)').run(id, merchant)
  const followUp = { ...emptyUnit, expectedVersions: [expectedVersion(id, 1)] }
  expect(applyUnits([followUp, followUp])).toEqual([{ kind: 'committed' }, { kind: 'stale' }])
  expect(database.prepare('SELECT version FROM tree').all()).toEqual([{ version: 2 }])
})

test('expired unique keys are removed when new ones are added, and do not accumulate', () => {
  const applyUnits = applier(database)
  const count = () => database.prepare('SELECT count(*) AS count FROM unique_key').get().count
  const add = (atMs: number, expires_at_ms: number | null) =>
    applyUnits([{ ...emptyUnit, unique: [uniqueKey(`k${atMs}`, { created_at_ms: atMs, expires_at_ms })] }])
  add(0, null)
  for (let atMs = 1; atMs <= 1000; atMs += 1) add(atMs, atMs + 10)
  expect(count()).toBe(11)
  // Each added key removes two expired keys; a key without an expiry is never removed.
  add(5000, null)
  expect(count()).toBe(10)
  for (let atMs = 5001; atMs <= 5005; atMs += 1) add(atMs, null)
  expect(count()).toBe(7)
})
