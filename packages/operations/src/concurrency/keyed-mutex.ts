/**
 * Mutexes by key, within this process, in the order of the calls. A failed call does not fail later calls.
 *
 * @returns a function that runs `work` under the mutex of `key`
 */
export function createKeyedMutex(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  /** The last call of each locked key. */
  const tails = new Map<string, Promise<unknown>>()

  return async (key, work) => {
    const before = tails.get(key)
    const tail = before ? before.then(work, work) : work()
    tails.set(key, tail)
    try {
      return await tail
    } finally {
      if (tails.get(key) === tail) tails.delete(key)
    }
  }
}
