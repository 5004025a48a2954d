import { parseUrl } from '@tollgate/contract'

/**
 * A merchant's address with the parameters `id` and `resourcePath` (interop, Checkouts); its own query stays as it is.
 * An invalid address is returned unchanged and refused at its use.
 */
export function resultAddress(url: string, id: string, resourcePath: string): string {
  const address = parseUrl(url)
  if (!address) return url
  const query = address.search === '' ? '' : `${address.search}&`
  // searchParams would re-encode the merchant's own query and break a signature in it.
  address.search = `${query}id=${id}&resourcePath=${encodeURIComponent(resourcePath)}`
  return address.href
}
