/**
 * Whether a name matches a pattern: `*` stands for any characters, `?` for one, and all others for themselves. The time
 * is at most the product of both lengths.
 */
export function matchesPattern(pattern: string, name: string): boolean {
  let [at, inName] = [0, 0]
  /** The last `*`, and the end of the characters that it stands for. */
  let star: { readonly at: number; end: number } | undefined
  while (inName < name.length) {
    if (pattern[at] === '*') {
      star = { at, end: inName }
      at += 1
    } else if (pattern[at] === '?' || pattern[at] === name[inName]) {
      at += 1
      inName += 1
    } else if (star) {
      star.end += 1
      inName = star.end
      at = star.at + 1
    } else {
      return false
    }
  }
  while (pattern[at] === '*') at += 1
  return at === pattern.length
}
