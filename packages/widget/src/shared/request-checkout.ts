import type { WidgetCheckout } from '@tollgate/contract'

/** The address of a checkout: the gateway's URL, without a trailing slash, and the checkout's id. */
export interface CheckoutAddress {
  readonly base: string
  readonly id: string
}

/** An answer of a proxy, or an error of the gateway, has no state. */
const isCheckout = (checkout: Partial<WidgetCheckout>): checkout is WidgetCheckout => checkout.state !== undefined

/** The language that the page currently selects, else the browser's: a code of the contract or a BCP 47 tag. */
export const localeOf = (): string => window.wpwlOptions?.locale || document.documentElement.lang || navigator.language

/**
 * Requests the state of a checkout, in the language of the page. With the id `{id}/cancel` and the method POST, the
 * gateway cancels the pending payment first.
 *
 * @returns undefined if the gateway cannot be reached, or answers without a state
 */
export async function requestCheckout(
  { base, id }: CheckoutAddress,
  method = 'GET',
): Promise<WidgetCheckout | undefined> {
  try {
    const address = `${base}/pages/checkouts/${id}?locale=${encodeURIComponent(localeOf())}`
    const response = await fetch(address, { method, credentials: 'omit', cache: 'no-store' })
    const checkout: Partial<WidgetCheckout> = await response.json()
    return isCheckout(checkout) ? checkout : undefined
  } catch {
    return undefined
  }
}
