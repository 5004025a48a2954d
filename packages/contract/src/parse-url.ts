/**
 * An absolute URL; undefined: it is none. In place of `URL.canParse`, which on Node 20 refuses every URL with an umlaut
 * once it has been called some thousand times (it is compiled then, and reads Latin-1 as UTF-8).
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
