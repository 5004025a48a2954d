/**
 * Lets those who want the same work at the same moment share it: whoever comes while it is under way gets what it comes
 * to.
 *
 * @returns does `work` on a `thing`, unless that is being done
 */
export function underOne<T>(): (thing: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>()

  return (thing, work) => {
    const before = underWay.get(thing)
    if (before) return before
    const now = work().finally(() => underWay.delete(thing))
    underWay.set(thing, now)
    return now
  }
}
