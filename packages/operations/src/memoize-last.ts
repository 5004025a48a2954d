/**
 * Caches the last result of a pure function of a number. Many requests arrive in the same millisecond and share all
 * values that are derived from it.
 */
export function memoizeLast<T>(compute: (input: number) => T): (input: number) => T {
  let last: { readonly input: number; readonly output: T } | undefined
  return (input) => {
    if (last?.input !== input) last = { input, output: compute(input) }
    return last.output
  }
}
