/**
 * Lets those who want the same work at the same moment share it. Whoever comes while it is under way gets what it comes
 * to the next time, begun when this one has ended, for what he comes to tell this one may have missed.
 *
 * @returns does `work` on a `thing`, unless that is being done
 */
export function createSingleFlight<T>(): (thing: string, work: () => Promise<T>) => Promise<T> {
  /** What is under way, and the next one where somebody waits for it. */
  const inFlight = new Map<string, { readonly now: Promise<T>; next: Promise<T> | undefined }>()

  function begin(thing: string, work: () => Promise<T>): Promise<T> {
    const now = work()
    const turn: { readonly now: Promise<T>; next: Promise<T> | undefined } = { now, next: undefined }
    inFlight.set(thing, turn)
    const end = () => {
      if (!turn.next) inFlight.delete(thing)
    }
    void now.then(end, end)
    return now
  }

  return (thing, work) => {
    const turn = inFlight.get(thing)
    if (!turn) return begin(thing, work)
    const again = () => begin(thing, work)
    return (turn.next ??= turn.now.then(again, again))
  }
}
