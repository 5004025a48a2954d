import { expect, test } from 'vitest'
import { createTableCache, type TableCache } from './table-cache.ts'

test('a change during a reload is not overwritten by earlier rows', async () => {
  let stored = 'old'
  let cached = ''
  const { reload, invalidateReads } = createTableCache(
    async () => {
      const rows = stored
      if (rows === 'old') {
        stored = 'new'
        cached = 'new'
        invalidateReads()
      }
      return rows
    },
    (rows) => (cached = rows),
  )
  await reload()
  expect(cached).toBe('new')
})

test('a reload fails if the table changes during every read', async () => {
  const cache: TableCache = createTableCache(
    async () => cache.invalidateReads(),
    () => expect.fail('outdated rows were stored'),
  )
  await expect(cache.reload()).rejects.toThrow('changed during every read')
})
