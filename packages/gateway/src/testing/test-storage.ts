import { openMemory, openPostgres, type Storage } from '@tollgate/storage'
import { emptyDatabase, newDatabase } from '@tollgate/storage/testing'

/** Databases that earlier tests of this process have left: emptied sooner than made anew, and removed with the server. */
const left: string[] = []

/** An empty storage for a test: in memory, or with `TOLLGATE_TEST_STORAGE=postgres` a database of its own. */
export async function testStorage(): Promise<Storage> {
  if (process.env['TOLLGATE_TEST_STORAGE'] !== 'postgres') return openMemory()
  const url = left.pop() ?? (await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL']))
  const storage = await openPostgres({ url })
  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    await storage.close()
    await emptyDatabase(url)
    left.push(url)
  }
  return { ...storage, close: () => (closing ??= close()) }
}
