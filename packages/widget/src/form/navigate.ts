import type { WidgetRedirect } from '@tollgate/contract'
import { element } from './dom.ts'
import { reportFailure, option } from './options.ts'
import type { Widget } from './widget.ts'

/**
 * Navigates a window to a URL. A GET uses no form, because the page's policy may forbid form actions of other origins.
 *
 * @param target name of a window or frame
 */
export function go({ url, method, parameters }: Omit<WidgetRedirect, 'inFrame'>, target: string): void {
  const to = new URL(url)
  if (!/^https?:$/.test(to.protocol))
    return reportFailure('WidgetError', `cannot navigate to an address of the scheme ${to.protocol}`)
  if (method === 'GET') {
    for (const { name, value } of parameters) to.searchParams.append(name, value)
    return void open(to, target)
  }
  const values = parameters.map(({ name, value }) => element('input', '', { type: 'hidden', name, value }))
  const form = element('form', 'redirect', { action: url, method, target }, ...values)
  document.body.append(form)
  // A parameter named submit would hide the form's own method.
  HTMLFormElement.prototype.submit.call(form)
  form.remove()
}

/**
 * The shop's result URL, the action of the page's form. The property `action` could be hidden by an input of that name.
 */
export const resultUrl = (pageForm: HTMLFormElement): string =>
  new URL(pageForm.getAttribute('action') ?? '', document.baseURI).href

/** Returns to the shop: "shopperResultUrl?id={checkoutId}&resourcePath=%2Fv1%2Fcheckouts%2F{checkoutId}%2Fpayment". */
export function returnToShop({ id, checkout }: Widget, pageForm: HTMLFormElement): void {
  const to = new URL(resultUrl(pageForm))
  const path = encodeURIComponent(`/v1/checkouts/${id}/${checkout.purpose}`)
  to.search += `${to.search ? '&' : '?'}id=${id}&resourcePath=${path}`
  go({ url: to.href, method: 'GET', parameters: [] }, option('shopperResultTarget'))
}
