/**
 * Parses an absolute URL; undefined for other texts. Used instead of `URL.canParse`, which on Node 20 rejects every URL
 * with an umlaut after some thousand calls, because its compiled version reads Latin-1 as UTF-8.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
