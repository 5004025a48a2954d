/**
 * Caches the last result of a pure function of a number or a text. Many requests arrive in the same millisecond and
 * share all values that are derived from it; rows that follow each other are of the same file.
 */
export function memoizeLast<Input extends number | string, T>(compute: (input: Input) => T): (input: Input) => T {
  let last: { readonly input: Input; readonly output: T } | undefined
  return (input) => {
    if (last?.input !== input) last = { input, output: compute(input) }
    return last.output
  }
}
