/**
 * Caches the last result of a pure function of a number: many requests share a millisecond, and with it everything
 * that is derived from it.
 */
export function lastOf<T>(compute: (input: number) => T): (input: number) => T {
  let last: { readonly input: number; readonly output: T } | undefined
  return (input) => {
    if (last?.input !== input) last = { input, output: compute(input) }
    return last.output
  }
}
