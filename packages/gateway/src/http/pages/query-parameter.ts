/**
 * Reads a parameter of a page's URL. The last of several values counts.
 *
 * @param url path and query of the request
 * @returns undefined if the parameter is missing
 */
export function queryParameter(url: string, name: string): string | undefined {
  const start = url.indexOf('?')
  return start < 0 ? undefined : new URLSearchParams(url.slice(start + 1)).getAll(name).at(-1)
}
