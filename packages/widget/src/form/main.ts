// Draws a form for each payment method into the merchant's page. Card number and CVV are typed into frames of the
// gateway's origin.
import type { WidgetCheckout } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { type CheckoutAddress, localeOf, requestCheckout } from '../shared/request-checkout.ts'
import type { PaymentForm } from './payment-form.ts'
import { element } from './dom.ts'
import { drawAll } from './draw.ts'
import { returnToShop } from './navigate.ts'
import { call, option, reportFailure, warnOfUnknownOptions } from './options.ts'
import { clearPage, findForms, page, showForms, showNotice, watchPolicy } from './page.ts'
import { pause } from './pause.ts'
import { expire, showState } from './pay.ts'
import { endWait } from './wait.ts'
import { textsOf, type Widget } from './widget.ts'

declare const STYLE_INTEGRITY: string

/** The state of the checkout when the page was loaded; undefined if the gateway could not be reached. */
type InitialCheckout = Promise<WidgetCheckout | undefined>

/**
 * Requests the state of the checkout until the gateway answers, the retries are used up, the page's policy blocks the
 * request or the form is unloaded.
 */
async function requestWithRetries(
  address: CheckoutAddress,
  initialCheckout: InitialCheckout,
  signal: AbortSignal,
): Promise<WidgetCheckout | undefined> {
  let checkout = await initialCheckout
  for (const pauseMs of limits.pollPausesMs) {
    if (checkout) return checkout
    // Browsers report a policy violation shortly after the blocked request has failed.
    await pause(pauseMs)
    if (page.isBlocked || signal.aborted) return undefined
    showNotice(page.text('offline'))
    checkout = await requestCheckout(address)
  }
  if (!checkout && !signal.aborted) reportFailure('WidgetError', `${address.base} cannot be reached`)
  return checkout
}

/** Resolves when the style sheet has loaded, has failed or takes too long. The form is drawn afterwards. */
async function addStyles({ base }: CheckoutAddress, signal: AbortSignal): Promise<void> {
  if (option('style') === 'none') return
  const href = `${base}/pages/assets/widget.css?${STYLE_INTEGRITY.slice(-8)}`
  const attributes = { rel: 'stylesheet', href, integrity: STYLE_INTEGRITY, crossorigin: 'anonymous' }
  const link = element('link', '', attributes)
  signal.addEventListener('abort', () => link.remove())
  const loadedOrFailed = new Promise((resolve) => {
    for (const event of ['load', 'error']) link.addEventListener(event, resolve)
  })
  document.head.append(link)
  await Promise.race([loadedOrFailed, pause(limits.styleMs)])
}

/**
 * Starts the form. The page's forms must have been parsed.
 *
 * @param lifetime aborts the form and all its listeners
 * @param locale the language in which the initial state was requested
 */
export async function start(
  address: CheckoutAddress,
  lifetime: AbortController,
  initialCheckout: InitialCheckout,
  locale: string,
): Promise<void> {
  const { signal } = lifetime
  if (signal.aborted) return
  signal.addEventListener('abort', clearPage)
  watchPolicy(address.base, signal)
  findForms()
  if (page.forms.length === 0) reportFailure('WidgetError', 'the page has no form of the class paymentWidgets')
  for (const form of page.forms) form.addEventListener('submit', (event) => event.preventDefault(), { signal })
  const stylesAdded = addStyles(address, signal)
  // The page may have chosen another language since the script was included.
  const currentCheckout = locale === localeOf() ? initialCheckout : requestCheckout(address)
  const checkout = await requestWithRetries(address, currentCheckout, signal)
  await stylesAdded
  if (!checkout || signal.aborted) return
  const text = textsOf(checkout.texts)
  const widget: Widget = { ...address, checkout, text, signal }
  page.text = text
  page.tag = checkout.tag
  page.direction = checkout.direction
  showNotice('')
  const paymentForm: PaymentForm = {
    widget,
    methods: page.methods,
    requestState: () => requestCheckout(address),
    cancel: () => requestCheckout({ ...address, id: `${address.id}/cancel` }, 'POST'),
    draw: async () => (page.methods.length === 0 ? drawMethods(paymentForm, lifetime) : undefined),
    isInProgress: false,
  }
  switch (checkout.state) {
    case 'gone':
      return expire(paymentForm)
    case 'done':
      return offerToReturn(widget)
    case 'pending':
      void showState(paymentForm, checkout)
      break
    case 'open':
      void paymentForm.draw()
  }
  addEventListener('pageshow', ({ persisted }) => void (persisted && refresh(paymentForm)), { signal })
}

/**
 * Shows the current state of the checkout after the browser's Back button has restored the page from the cache: the
 * payment may have changed in the meantime.
 */
async function refresh(paymentForm: PaymentForm): Promise<void> {
  endWait()
  const checkout = await paymentForm.requestState()
  if (checkout?.state === 'done') return offerToReturn(paymentForm.widget)
  if (checkout && (checkout.state !== 'open' || paymentForm.isInProgress)) return showState(paymentForm, checkout)
}

/** Shows that the checkout is complete, with a button to return to the shop. */
function offerToReturn(widget: Widget): void {
  const { text } = widget
  const [pageForm] = page.forms
  const button = element('button', 'button', { type: 'button' }, text('continueButton'))
  button.addEventListener('click', () => pageForm && returnToShop(widget, pageForm))
  showForms(false)
  showNotice(text('alreadyDone'), button)
}

/** Draws the payment methods, and resolves when they can be filled in. */
async function drawMethods(paymentForm: PaymentForm, lifetime: AbortController): Promise<void> {
  drawAll(paymentForm)
  warnOfUnknownOptions()
  const { text } = paymentForm.widget
  if (page.methods.length === 0) {
    reportFailure('WidgetError', 'data-brands contains no brand that the form supports')
    return showNotice(text('noMethod'))
  }
  window.wpwl = { unload: () => lifetime.abort(), executePayment }
  for (const { showLoading, frame } of page.methods) if (frame) showLoading(true)
  await Promise.all(page.methods.flatMap(({ fields }) => fields.flatMap(({ ready }) => (ready ? [ready] : []))))
  for (const { showLoading } of page.methods) showLoading(false)
  if (page.isBlocked || paymentForm.isInProgress || lifetime.signal.aborted) return
  for (const { announce } of page.methods) announce('')
  void call('onReady')
}

/** Pays with the first form of a class, as if its button were pressed. */
function executePayment(className: string): void {
  const method = page.methods.find(({ root }) => root.classList.contains(className))
  if (method) method.form.requestSubmit()
  else reportFailure('WidgetError', `the page has no payment form of the class ${className}`)
}
