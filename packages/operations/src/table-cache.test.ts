import { expect, test } from 'vitest'
import { type Held, held } from './table-cache.ts'

test('a change during a reload is not overwritten by earlier rows', async () => {
  let stored = 'old'
  let inMemory = ''
  const { reload, changed } = held(
    async () => {
      const found = stored
      if (found === 'old') {
        stored = 'new'
        inMemory = 'new'
        changed()
      }
      return found
    },
    (found) => (inMemory = found),
  )
  await reload()
  expect(inMemory).toBe('new')
})

test('a reload fails if the table changes during every read', async () => {
  const endless: Held = held(
    async () => endless.changed(),
    () => expect.fail('it is older'),
  )
  await expect(endless.reload()).rejects.toThrow('changed during every read')
})
