import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { account, expectedVersion, transaction } from '../testing/sample-rows.ts'
import { openReader, openWriter } from './database.ts'
import { migrations } from '../migrations/index.ts'
import { openSqlite } from './open.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-open-'))
  file = join(folder, 'test.db')
})

afterEach(() => rmSync(folder, { recursive: true }))

/** A program that opens `file` and keeps it open. */
const program = `
  import { openSqlite } from '${new URL('open.js', import.meta.url).href}'
  await openSqlite({ file: process.argv[1] }).then(() => console.log('open'), (error) => {
    console.log(error.kind + ': ' + error.message)
    process.exit(1)
  })
  setInterval(() => {}, 1000)`
const nodeArguments = () => ['--input-type=module', '-e', program, file]

test('a file has one owner', async () => {
  const storage = await openSqlite({ file })
  const inUse = { kind: 'in-use', message: `${file} is in use already: a process holds ${file}.lock` }
  await expect(openSqlite({ file })).rejects.toMatchObject(inUse)
  expect(() => execFileSync(process.execPath, nodeArguments(), { encoding: 'utf8' })).toThrow(
    expect.objectContaining({ stdout: `in-use: ${inUse.message}\n` }),
  )
  // The refusals did not release the lock.
  await expect(openSqlite({ file })).rejects.toMatchObject(inUse)
  await storage.close()
  await (await openSqlite({ file })).close()
})

test('an owner that is killed leaves no lock', async () => {
  const owner = spawn(process.execPath, nodeArguments(), { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(owner.stdout, 'data')
  expect(String(line)).toBe('open\n')
  await expect(openSqlite({ file })).rejects.toMatchObject({ kind: 'in-use' })
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  await (await openSqlite({ file })).close()
})

test('a symbolic link uses the lock of its target', async () => {
  const storage = await openSqlite({ file })
  const link = join(folder, 'link.db')
  symlinkSync(file, link)
  await expect(openSqlite({ file: link })).rejects.toMatchObject({ kind: 'in-use' })
  await storage.close()
})

test('only the owner can read the files', async () => {
  const storage = await openSqlite({ file })
  await storage.commit({
    id: 'u',
    expectedVersions: [expectedVersion('p1')],
    rows: { payment_transaction: [transaction('p1')] },
  })
  const modes = Object.fromEntries(
    readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
  )
  expect(modes).toEqual({ 'test.db': '600', 'test.db-shm': '600', 'test.db-wal': '600', 'test.db.lock': '600' })
  await storage.close()
})

test('a missing folder is named in the error', async () => {
  const missing = join(folder, 'missing', 'test.db')
  await expect(openSqlite({ file: missing })).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining(missing),
  })
})

test('an error names a file that is not a database, and the file keeps its size', async () => {
  writeFileSync(file, 'not a database '.repeat(1000))
  await expect(openSqlite({ file })).rejects.toMatchObject({
    name: 'StorageError',
    message: `${file}: file is not a database`,
  })
  expect(statSync(file).size).toBe(15_000)
})

test('a file with a migration of another program is refused, and its lock released', async () => {
  const foreignVersion = migrations.length + 2
  await (await openSqlite({ file })).close()
  const database = openWriter(file)
  database.exec(`INSERT INTO schema_migration VALUES (${foreignVersion}, 'foreign', 'a reason')`)
  database.close()
  for (const _ of ['first', 'second']) {
    await expect(openSqlite({ file })).rejects.toMatchObject({
      kind: 'incompatible',
      message: expect.stringContaining(`test.db has a migration ${foreignVersion} `),
    })
  }
})

test('the write-ahead log stays short, and close leaves it empty', async () => {
  const storage = await openSqlite({ file })
  const echo = JSON.stringify({ note: 'x'.repeat(1200) })
  const bound = 3 * limits.checkpointPages * limits.pageBytes
  for (let round = 0; round < 10; round += 1) {
    const units = Array.from({ length: limits.batchUnits }, (_, index) => `p${round}-${index}`).map((id) =>
      storage.commit({
        id,
        expectedVersions: [expectedVersion(id)],
        rows: { payment_transaction: [transaction(id, id, { echo: echo.repeat(8) })], account: [account(id)] },
      }),
    )
    await Promise.all(units)
    expect(statSync(`${file}-wal`).size).toBeLessThan(bound)
  }
  await storage.close()
  expect(statSync(file).size).toBeGreaterThan(bound)
  expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
})

test('depth counts the units without an outcome, and a unit above the bound is refused', async () => {
  const storage = await openSqlite({ file })
  const units = Array.from({ length: limits.queueUnits + 1 }, (_, index) => `p${index}`).map((id) =>
    storage.commit({ id, expectedVersions: [], rows: { payment_transaction: [transaction(id)] } }),
  )
  expect(storage.depth()).toBe(limits.queueUnits)
  const results = await Promise.allSettled(units)
  expect(results.at(-1)).toMatchObject({ reason: { kind: 'unavailable' } })
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(limits.queueUnits)
  expect(storage.depth()).toBe(0)
  await storage.close()
})

test('closed files contain no replaced rows', async () => {
  const storage = await openSqlite({ file })
  const secret = (id: number) => Buffer.from(`wrapped key ${id} of a card`.padEnd(40, '.'))
  const put = (id: number, unit: string, wrapped: Uint8Array | null) =>
    storage.commit({
      id: unit,
      expectedVersions: [],
      rows: { account: [account(String(id), { wrapped_key: wrapped })] },
    })
  const ids = Array.from({ length: 200 }, (_, id) => id + 1000)
  for (const id of ids) await put(id, `kept ${id}`, secret(id))
  const shredded = ids.filter((id) => id % 2 === 0)
  for (const id of shredded) await put(id, `shredded ${id}`, null)
  await storage.close()
  const bytes = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))))
  const readableIds = ids.filter((id) => bytes.indexOf(secret(id)) >= 0)
  expect(readableIds).toEqual(ids.filter((id) => id % 2 === 1))
})

describe('a unit that erases', () => {
  const number = Buffer.from('a sealed number')
  const wrapped = Buffer.from('its wrapped key')
  /** The secrets that the files of a folder contain. */
  const secretsIn = (directory: string) => {
    const names = readdirSync(directory).filter((name) => statSync(join(directory, name)).isFile())
    const bytes = Buffer.concat(names.map((name) => readFileSync(join(directory, name))))
    return [number, wrapped].filter((secret) => bytes.indexOf(secret) >= 0).map(String)
  }
  const allSecrets = [number, wrapped].map(String)

  async function shredDuringRead() {
    const storage = await openSqlite({ file })
    const sealed = account('a1', { sealed: number, wrapped_key: wrapped })
    await storage.commit({ id: 'u1', expectedVersions: [], rows: { account: [sealed] } })
    const reader = openReader(file)
    reader.exec('BEGIN')
    reader.prepare('SELECT * FROM account').all()
    const shredded = account('a1', { sealed: null, wrapped_key: null })
    await storage.commit({ id: 'u2', expectedVersions: [], rows: { account: [shredded] }, erases: true })
    return { storage, reader }
  }

  test('leaves no replaced row in any file once no reader prevents it', async () => {
    const { storage, reader } = await shredDuringRead()
    expect(secretsIn(folder)).toEqual(allSecrets)
    reader.exec('ROLLBACK')
    await expect.poll(() => secretsIn(folder), { timeout: 20_000 }).toEqual([])
    expect(await storage.account('a1')).toMatchObject({ sealed: null })
    reader.close()
    await storage.close()
  })

  test('is completed at the next start if the process was killed before', async () => {
    const { storage, reader } = await shredDuringRead()
    // The copied files are those that a process killed at this moment would leave.
    const copy = join(folder, 'copy')
    mkdirSync(copy)
    for (const suffix of ['', '-wal']) cpSync(file + suffix, join(copy, `test.db${suffix}`))
    expect(secretsIn(copy)).toEqual(allSecrets)
    const next = await openSqlite({ file: join(copy, 'test.db') })
    expect(secretsIn(copy)).toEqual([])
    await next.close()
    reader.exec('ROLLBACK')
    reader.close()
    await storage.close()
  })
})
