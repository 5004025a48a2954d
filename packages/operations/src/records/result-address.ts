import { type Form, parseUrl } from '@tollgate/contract'
import { type Refused, refused } from '@tollgate/domain'
import type { Channel } from '../directory/channel.ts'

/**
 * "Browser redirects to shopperResultUrl need an allow-list" (domain notes, 7): a channel that has one sends shoppers
 * nowhere else.
 *
 * @returns undefined where there is nothing against it
 */
export function wrongReturn({ settings }: Channel, { values }: Form): Refused | undefined {
  const address = values.get('shopperResultUrl')
  if (address === undefined || !settings.shopperResultOrigins) return undefined
  if (settings.shopperResultOrigins.has(originOf(address))) return undefined
  return refused('600.300.211', 'shopperResultUrl must be at one of the origins that the channel allows')
}

/** `https://shop.example`; of an app's address its scheme, `shop:`. */
function originOf(address: string): string {
  const { origin, protocol } = new URL(address)
  return origin === 'null' ? protocol : origin
}

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
