import { expect, test } from 'vitest'
import { type Held, held } from './table-cache.ts'

test('what this process changes while it is read is not overwritten by what was there before', async () => {
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

test('what changes without an end is left for later', async () => {
  const endless: Held = held(
    async () => endless.changed(),
    () => expect.fail('it is older'),
  )
  await expect(endless.reload()).rejects.toThrow('changed during every read')
})
