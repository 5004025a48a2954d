import { openMemory, openPostgres, type Storage } from '@tollgate/storage'
import { newDatabase, removeDatabase } from '@tollgate/storage/testing'

/**
 * An empty storage for a test: in memory, or with `TOLLGATE_TEST_STORAGE=postgres` a database of its own, which goes
 * when it is closed.
 */
export async function testStorage(): Promise<Storage> {
  if (process.env['TOLLGATE_TEST_STORAGE'] !== 'postgres') return openMemory()
  const url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
  const storage = await openPostgres({ url })
  return {
    ...storage,
    close: async () => {
      await storage.close()
      await removeDatabase(url)
    },
  }
}
