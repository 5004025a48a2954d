/**
 * The first whole number from `low` to `high` for which `holds`. From that number on it must hold, up to `high`.
 * Halves what is left in each step.
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
