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
  if (kind === 'sqlite') return onSqlite()
  if (kind === 'postgres') return onPostgres()
  throw new Error('A test that uses testStorage or testGateway belongs in a file named *.storage.test.ts')
}

interface Idle {
  readonly file: string
  readonly storage: Storage
}

/**
 * SQLite storages of earlier tests of this process: emptying them is faster than opening new ones. Their files are
 * removed with the run.
 */
const idle: Idle[] = []

async function onSqlite(): Promise<Storage> {
  const { file, storage } = idle.pop() ?? (await openNew())
  const before = storage.totals()
  let isClosed = false
  const close = async () => {
    isClosed = true
    while (storage.depth() > 0) await setImmediate()
    emptySqlite(file)
    idle.push({ file, storage })
  }
  const totals = () => {
    const { units, batches } = storage.totals()
    return { units: units - before.units, batches: batches - before.batches }
  }
  return closingWith({ ...endingWhen(storage, () => isClosed), totals, close }, async () => undefined)
}

async function openNew(): Promise<Idle> {
  const folder = mkdtempSync(join(process.env['TOLLGATE_TEST_FOLDER'] ?? tmpdir(), 'tollgate-test-'))
  const file = join(folder, 'test.db')
  return { file, storage: await openSqlite({ file }) }
}

/** The storage until it counts as closed: background work of one test must not write into the rows of the next one. */
function endingWhen(storage: Storage, isClosed: () => boolean): Storage {
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
 * Databases of earlier tests of this process: emptying them is faster than creating new ones; they are removed with the
 * server.
 */
const left: string[] = []

async function onPostgres(): Promise<Storage> {
  const url = left.pop() ?? (await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL']))
  return closingWith(await openPostgres({ url }), async () => {
    await emptyDatabase(url)
    left.push(url)
  })
}

/** Two gateways of a test may share a storage, and both close it. */
function closingWith(storage: Storage, then: () => Promise<void>): Storage {
  let closing: Promise<void> | undefined
  return { ...storage, close: () => (closing ??= storage.close().then(then)) }
}
