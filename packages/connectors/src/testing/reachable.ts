import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const ROUNDS = 5

/**
 * The number of objects that are still reachable after a garbage collection.
 *
 * @param references of objects that the caller no longer uses
 */
export async function countReachable(references: readonly WeakRef<object>[]): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collectGarbage: unknown = runInNewContext('gc')
  if (typeof collectGarbage !== 'function') throw new Error('the engine exposes no garbage collector')
  for (let round = 0; round < ROUNDS; round += 1) {
    // A weak reference keeps its object until the end of the turn in which it was made or read.
    await setImmediate()
    collectGarbage()
  }
  return references.filter((reference) => reference.deref() !== undefined).length
}
