import { setTimeout } from 'node:timers/promises'
import { openMemory, type Storage } from '@tollgate/storage'

/** Long enough for a request that is sent at the same time to overtake one that is not serialised. */
const COMMIT_MS = 10

/** The in-memory storage, with commits that take as long as those of a disk. */
export function slowStorage(memory = openMemory()): Storage {
  return {
    ...memory,
    async commit(unit) {
      await setTimeout(COMMIT_MS)
      return memory.commit(unit)
    },
  }
}
