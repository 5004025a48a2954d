import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory, openPostgres, openSqlite, type Storage } from '@tollgate/storage'
import { emptyDatabase, newDatabase } from '@tollgate/storage/testing'

/** An empty storage for a test, by `TOLLGATE_TEST_STORAGE`: `sqlite`, `postgres`, or else in memory. */
export async function testStorage(): Promise<Storage> {
  const kind = process.env['TOLLGATE_TEST_STORAGE']
  if (kind === 'postgres') return onPostgres()
  return kind === 'sqlite' ? onSqlite() : openMemory()
}

async function onSqlite(): Promise<Storage> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
  const storage = await openSqlite({ file: join(folder, 'test.db') })
  return closingWith(storage, async () => rmSync(folder, { recursive: true }))
}

/** Databases that earlier tests of this process have left: sooner emptied than made anew; they go with the server. */
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
