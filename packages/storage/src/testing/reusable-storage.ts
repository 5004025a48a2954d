import { setImmediate } from 'node:timers/promises'
import { openPostgres } from '../postgres/open.ts'
import { postgresReader } from '../postgres/read.ts'
import type { Storage } from '../port.ts'
import { openSqlite } from '../sqlite/open.ts'
import { StorageError } from '../storage-error.ts'
import { deleteAllRows, openSqlConnection } from './postgres-database.ts'
import { emptySqlite } from './run-sqlite.ts'

/** A storage that tests use one after another, because emptying it is faster than opening a new one. */
export interface ReusableStorage {
  /** Returns the storage for the next test. Its `close`, which may be called twice, empties the storage. */
  readonly reuse: () => Storage
}

/** @param file the path of a new database */
export async function reusableSqlite(file: string): Promise<ReusableStorage> {
  const storage = await openSqlite({ file })
  return { reuse: () => forOneTest(storage, async () => emptySqlite(file)) }
}

/** Every test listens to peers over a connection of its own. @param url the address of a new database */
export async function reusablePostgres(url: string): Promise<ReusableStorage> {
  const [storage, connection] = await Promise.all([openPostgres({ url }), openSqlConnection(url)])
  return {
    reuse() {
      const reader = postgresReader(url)
      return forOneTest({ ...storage, peers: reader.peers }, async () => {
        await reader.close()
        await connection.query(deleteAllRows)
      })
    },
  }
}

/** Rejects calls after `close`, because background tasks of a test must not write to the storage of the next test. */
function forOneTest(storage: Storage, empty: () => Promise<void>): Storage {
  const before = storage.totals()
  let isClosed = false
  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    isClosed = true
    while (storage.depth() > 0) await setImmediate()
    await empty()
  }
  const rejecting = new Proxy(storage, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...parameters: unknown[]): unknown =>
        isClosed
          ? Promise.reject(new StorageError('unavailable', 'the storage is closed'))
          : Reflect.apply(value, target, parameters)
    },
  })
  const totals = () => {
    const { units, batches } = storage.totals()
    return { units: units - before.units, batches: batches - before.batches }
  }
  return { ...rejecting, totals, close: () => (closing ??= close()) }
}
