import { type Refused, refused } from '../guard.ts'

const foreign = refused('600.300.211', 'shopperResultUrl must be at one of the origins that the channel allows')

/**
 * "Browser redirects to shopperResultUrl need an allow-list" (domain notes, 7).
 *
 * @param allowed origins, of apps schemes; undefined: any
 */
export function returnAddressRefusal(
  allowed: ReadonlySet<string> | undefined,
  address: string | undefined,
): Refused | undefined {
  if (address === undefined || !allowed) return undefined
  return allowed.has(originOf(address)) ? undefined : foreign
}

/** `https://shop.example`; of an app's address its scheme, `shop:`. */
function originOf(address: string): string {
  const { origin, protocol } = new URL(address)
  return origin === 'null' ? protocol : origin
}
