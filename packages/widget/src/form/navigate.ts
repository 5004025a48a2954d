import type { WidgetRedirect } from '@tollgate/contract'
import { element } from './dom.ts'
import { complain, option } from './options.ts'
import type { Widget } from './widget.ts'

/**
 * Sends a window to an address. A GET needs no form, which the page's policy might forbid to leave for elsewhere.
 *
 * @param target name of a window or frame
 */
export function go({ url, method, parameters }: Omit<WidgetRedirect, 'inFrame'>, target: string): void {
  const to = new URL(url)
  if (!/^https?:$/.test(to.protocol)) return complain('WidgetError', `cannot go to an address of ${to.protocol}`)
  if (method === 'GET') {
    for (const { name, value } of parameters) to.searchParams.append(name, value)
    return void open(to, target)
  }
  const values = parameters.map(({ name, value }) => element('input', '', { type: 'hidden', name, value }))
  const form = element('form', 'redirect', { action: url, method, target }, ...values)
  document.body.append(form)
  // A parameter named submit would hide the form's own.
  HTMLFormElement.prototype.submit.call(form)
  form.remove()
}

/** Where the page's form sends shoppers. Its own property would be hidden by an input of the name `action`. */
export const resultUrl = (shop: HTMLFormElement): string =>
  new URL(shop.getAttribute('action') ?? '', document.baseURI).href

/** Back to the shop: "shopperResultUrl?id={checkoutId}&resourcePath=%2Fv1%2Fcheckouts%2F{checkoutId}%2Fpayment". */
export function returnToShop({ id, checkout }: Widget, shop: HTMLFormElement): void {
  const to = new URL(resultUrl(shop))
  const path = encodeURIComponent(`/v1/checkouts/${id}/${checkout.purpose}`)
  to.search += `${to.search ? '&' : '?'}id=${id}&resourcePath=${path}`
  go({ url: to.href, method: 'GET', parameters: [] }, option('shopperResultTarget'))
}
