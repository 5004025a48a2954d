import type { WidgetRedirect } from '@tollgate/contract'
import { element } from './dom.ts'
import { option, reportFailure } from './options.ts'
import type { Widget } from './widget.ts'

/**
 * Navigates a window to a URL. A GET uses no form, because the page's policy may forbid form actions of other origins.
 *
 * @param target name of a window or frame
 */
export function navigate({ url, method, parameters }: Omit<WidgetRedirect, 'inFrame'>, target: string): void {
  const address = new URL(url)
  if (!/^https?:$/.test(address.protocol))
    return reportFailure('WidgetError', `cannot navigate to an address of the scheme ${address.protocol}`)
  if (method === 'GET') {
    for (const { name, value } of parameters) address.searchParams.append(name, value)
    return void open(address, target)
  }
  const values = parameters.map(({ name, value }) => element('input', '', { type: 'hidden', name, value }))
  const form = element('form', 'redirect', { action: url, method, target }, ...values)
  document.body.append(form)
  // An input with the name `submit` would hide the form's own method.
  HTMLFormElement.prototype.submit.call(form)
  form.remove()
}

/**
 * The shop's result URL, the action of the page's form. An input with the name `action` would hide the property.
 */
export const resultUrl = (pageForm: HTMLFormElement): string =>
  new URL(pageForm.getAttribute('action') ?? '', document.baseURI).href

/**
 * Returns to the shop: "shopperResultUrl?id={checkoutId}&resourcePath=%2Fv1%2Fcheckouts%2F{checkoutId}%2Fpayment", with
 * `registration` in place of `payment` for a checkout that only stores the account.
 */
export function returnToShop({ id, checkout }: Widget, pageForm: HTMLFormElement): void {
  const address = new URL(resultUrl(pageForm))
  const path = encodeURIComponent(`/v1/checkouts/${id}/${checkout.purpose}`)
  address.search += `${address.search ? '&' : '?'}id=${id}&resourcePath=${path}`
  navigate({ url: address.href, method: 'GET', parameters: [] }, option('shopperResultTarget'))
}
