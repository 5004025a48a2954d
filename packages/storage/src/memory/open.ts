import type { Storage } from '../port.ts'
import { StorageError } from '../storage-error.ts'
import { commitToMemory } from './commit.ts'
import { type MemoryDisk, memoryDisk } from './disk.ts'
import { memoryReader } from './read.ts'

/**
 * Storage in memory: the reference in tests of the other dialects, and the storage of simulations and of tests of the
 * gateway. Every call takes effect at once and in the order of the calls.
 * @param disk the rows; a disk of an earlier storage is opened like an existing database
 */
export function openMemory(disk: MemoryDisk = memoryDisk()): Storage {
  let isClosed = false
  let units = 0
  const open = () => {
    if (isClosed) throw new StorageError('unavailable', 'the storage is closed')
    return disk
  }
  return {
    ...memoryReader(open),
    async commit(unit) {
      const result = commitToMemory(open(), unit)
      units += 1
      return result
    },
    isReachable: () => true,
    depth: () => 0,
    totals: () => ({ units, batches: units }),
    close: async () => {
      isClosed = true
    },
  }
}
