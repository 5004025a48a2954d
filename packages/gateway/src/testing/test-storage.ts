import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory, type Storage } from '@tollgate/storage'
import { newDatabase, type ReusableStorage, reusablePostgres, reusableSqlite } from '@tollgate/storage/testing'

/**
 * An empty storage for a test, by `TOLLGATE_TEST_STORAGE` of its project: `memory`, `sqlite` or `postgres`.
 *
 * @throws Error in the project `unit`, which lacks this variable
 */
export async function testStorage(): Promise<Storage> {
  const kind = process.env['TOLLGATE_TEST_STORAGE']
  if (kind === 'memory') return openMemory()
  if (kind === 'sqlite') return reuseOrOpen(idleSqlite, newSqlite)
  if (kind === 'postgres') return reuseOrOpen(idlePostgres, newPostgres)
  throw new Error(
    'TOLLGATE_TEST_STORAGE is not set: move the test to a *.storage.test.ts file, or pass a storage to testGateway',
  )
}

/** Storages of earlier tests of this process. Their files, or the server of their databases, end with the run. */
const idleSqlite: ReusableStorage[] = []
const idlePostgres: ReusableStorage[] = []

async function reuseOrOpen(idle: ReusableStorage[], open: () => Promise<ReusableStorage>): Promise<Storage> {
  const reusable = idle.pop() ?? (await open())
  const storage = reusable.reuse()
  let closed: Promise<unknown> | undefined
  const close = async () => void (await (closed ??= storage.close().then(() => idle.push(reusable))))
  return { ...storage, close }
}

async function newSqlite(): Promise<ReusableStorage> {
  const folder = mkdtempSync(join(process.env['TOLLGATE_TEST_FOLDER'] ?? tmpdir(), 'tollgate-test-'))
  return reusableSqlite(join(folder, 'test.db'))
}

const newPostgres = async (): Promise<ReusableStorage> =>
  reusablePostgres(await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL']))
