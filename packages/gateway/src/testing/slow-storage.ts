import { setTimeout } from 'node:timers/promises'
import { openMemory, type Storage } from '@tollgate/storage'

/** The duration of a commit. During a commit, concurrent requests overtake each other unless they are serialised. */
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
