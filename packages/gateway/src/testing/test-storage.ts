import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { openMemory, openPostgres, openSqlite, type Storage, StorageError } from '@tollgate/storage'
import { emptyDatabase, emptySqlite, newDatabase } from '@tollgate/storage/testing'

/**
 * An empty storage for a test, by `TOLLGATE_TEST_STORAGE` of its project: `memory`, `sqlite` or `postgres`.
 * @throws Error in a test whose file name does not declare that it runs on all of them
 */
export async function testStorage(): Promise<Storage> {
  const kind = process.env['TOLLGATE_TEST_STORAGE']
  if (kind === 'memory') return openMemory()
  if (kind === 'sqlite') return openTestSqlite()
  if (kind === 'postgres') return openTestPostgres()
  throw new Error('A test that uses testStorage or testGateway belongs in a file named *.storage.test.ts')
}

interface IdleStorage {
  readonly file: string
  readonly storage: Storage
}

/**
 * SQLite storages of earlier tests of this process: emptying them is faster than opening new ones. Their files are
 * removed after the run.
 */
const idleStorages: IdleStorage[] = []

async function openTestSqlite(): Promise<Storage> {
  const { file, storage } = idleStorages.pop() ?? (await openNew())
  const before = storage.totals()
  let isClosed = false
  const close = async () => {
    isClosed = true
    while (storage.depth() > 0) await setImmediate()
    emptySqlite(file)
    idleStorages.push({ file, storage })
  }
  const totals = () => {
    const { units, batches } = storage.totals()
    return { units: units - before.units, batches: batches - before.batches }
  }
  return closingOnce({ ...rejectingWhen(storage, () => isClosed), totals, close }, async () => undefined)
}

async function openNew(): Promise<IdleStorage> {
  const folder = mkdtempSync(join(process.env['TOLLGATE_TEST_FOLDER'] ?? tmpdir(), 'tollgate-test-'))
  const file = join(folder, 'test.db')
  return { file, storage: await openSqlite({ file }) }
}

/**
 * A storage that rejects calls once it is closed, because background tasks of a test must not write rows of the next
 * one.
 */
function rejectingWhen(storage: Storage, isClosed: () => boolean): Storage {
  return new Proxy(storage, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]): unknown =>
        isClosed()
          ? Promise.reject(new StorageError('unavailable', 'the storage is closed'))
          : Reflect.apply(value, target, given)
    },
  })
}

/**
 * Databases of earlier tests of this process: emptying them is faster than creating new ones; the server is removed
 * after the run.
 */
const idleDatabases: string[] = []

async function openTestPostgres(): Promise<Storage> {
  const url = idleDatabases.pop() ?? (await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL']))
  return closingOnce(await openPostgres({ url }), async () => {
    await emptyDatabase(url)
    idleDatabases.push(url)
  })
}

/** A storage that is closed once, although two gateways of a test may share and close it. */
function closingOnce(storage: Storage, then: () => Promise<void>): Storage {
  let closing: Promise<void> | undefined
  return { ...storage, close: () => (closing ??= storage.close().then(then)) }
}
