const SPACE = 0x20
const TILDE = 0x7e

function isPrintableAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < SPACE || code > TILDE) return false
  }
  return true
}

/**
 * A text in printable ASCII, as fields of kind `ans` hold it: accents are removed, white space becomes a space, and
 * every other character a question mark.
 */
export function printable(text: string): string {
  if (isPrintableAscii(text)) return text
  const base = text.normalize('NFKD').replaceAll(/\p{M}+/gu, '')
  return base.replaceAll(/\s/gu, ' ').replaceAll(/[^ -~]/gu, '?')
}
