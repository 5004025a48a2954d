import type { WidgetCheckout } from '@tollgate/contract'

/** A checkout, by our address, without a slash at its end, and its id. */
export interface Place {
  readonly base: string
  readonly id: string
}

/** An answer of something between us, or of a service in distress, is none. */
const isCheckout = (checkout: Partial<WidgetCheckout>): checkout is WidgetCheckout => checkout.state !== undefined

/** The language that the page asks for at the moment: a code of ours or a BCP 47 tag. */
export const localeOf = (): string => window.wpwlOptions?.locale || document.documentElement.lang || navigator.language

/**
 * How a checkout stands, in the language of the page.
 *
 * @param method of HTTP
 * @returns undefined when the service cannot be reached
 */
export async function ask({ base, id }: Place, method = 'GET'): Promise<WidgetCheckout | undefined> {
  try {
    const address = `${base}/pages/checkouts/${id}?locale=${encodeURIComponent(localeOf())}`
    const response = await fetch(address, { method, credentials: 'omit', cache: 'no-store' })
    const checkout: Partial<WidgetCheckout> = await response.json()
    return isCheckout(checkout) ? checkout : undefined
  } catch {
    return undefined
  }
}
