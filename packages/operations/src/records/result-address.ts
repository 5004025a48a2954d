import { parseUrl } from '@tollgate/contract'

/**
 * A merchant's address, its query as it is, with what it is called about: `id` and `resourcePath` (interop, Checkouts).
 * What is no address is left as it stands: it is refused where it is used.
 */
export function resultAddress(url: string, id: string, resourcePath: string): string {
  const address = parseUrl(url)
  if (!address) return url
  const query = address.search === '' ? '' : `${address.search}&`
  // Not by searchParams, which would spell the merchant's own query anew, and break a signature in it.
  address.search = `${query}id=${id}&resourcePath=${encodeURIComponent(resourcePath)}`
  return address.href
}
