const PRINTABLE = /^[ -~]*$/

/**
 * A text in printable ASCII, as fields of kind `ans` hold it: accents are removed, white space becomes a space, and
 * every other character a question mark.
 */
export function printable(text: string): string {
  if (PRINTABLE.test(text)) return text
  const base = text.normalize('NFKD').replaceAll(/\p{M}+/gu, '')
  return base.replaceAll(/\s/gu, ' ').replaceAll(/[^ -~]/gu, '?')
}
