/**
 * The first whole number from `low` to `high` for which `holds` returns true, by binary search. The predicate must be
 * true for `high`, which is not tested, and for every number after the first for which it is true.
 */
export function firstWhere(low: number, high: number, holds: (number: number) => boolean): number {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if (holds(middle)) to = middle
    else from = middle + 1
  }
  return to
}
