import { type Refused, refused } from '../guard.ts'

const originRefused = refused('600.300.211', 'shopperResultUrl must be at one of the origins that the channel allows')

/**
 * "Browser redirects to shopperResultUrl need an allow-list" (domain notes, 7).
 *
 * @param allowed origins of pages and schemes of apps; undefined: any
 */
export function returnAddressRefusal(
  allowed: ReadonlySet<string> | undefined,
  address: string | undefined,
): Refused | undefined {
  if (address === undefined || !allowed) return undefined
  return allowed.has(originOf(address)) ? undefined : originRefused
}

/** The origin of a page, such as `https://shop.example`, or the scheme of an app, such as `shop:`. */
function originOf(address: string): string {
  const { origin, protocol } = new URL(address)
  return origin === 'null' ? protocol : origin
}
