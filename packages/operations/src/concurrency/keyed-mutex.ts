/**
 * Lets work on the same thing take turns, within this process: each waits for the one before it, however that ended.
 *
 * @returns does `work` once it is its turn among all that names the same `thing`
 */
export function createKeyedMutex(): <T>(thing: string, work: () => Promise<T>) => Promise<T> {
  /** The last turn of each thing that is being worked on. */
  const turns = new Map<string, Promise<unknown>>()

  return async (thing, work) => {
    const before = turns.get(thing)
    const turn = before ? before.then(work, work) : work()
    turns.set(thing, turn)
    try {
      return await turn
    } finally {
      if (turns.get(thing) === turn) turns.delete(thing)
    }
  }
}
