// Draws a form for each payment method into the merchant's page. Card number and CVV are typed into frames of the
// gateway's origin.
import type { WidgetCheckout } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { type CheckoutAddress, localeOf, requestCheckout } from '../shared/request-checkout.ts'
import type { PaymentForm } from './payment-form.ts'
import { element } from './dom.ts'
import { drawAll } from './draw.ts'
import { returnToShop } from './navigate.ts'
import { call, reportFailure, option, warnOfUnknown } from './options.ts'
import { clearPage, findForms, notice, page, showForms, watchPolicy } from './page.ts'
import { pause } from './pause.ts'
import { expire, show } from './pay.ts'
import { endWait } from './wait.ts'
import { textsOf, type Widget } from './widget.ts'

declare const STYLE_INTEGRITY: string

/** The state of the checkout when the page was loaded. */
type FirstState = Promise<WidgetCheckout | undefined>

/**
 * Requests the state of the checkout until it arrives, the retries are used up or the page's policy blocks the request.
 */
async function requestWithRetries(
  place: CheckoutAddress,
  first: FirstState,
  signal: AbortSignal,
): Promise<WidgetCheckout | undefined> {
  let checkout = await first
  for (const pauseMs of limits.pollPausesMs) {
    if (checkout) return checkout
    // Browsers report a policy violation shortly after the blocked request has failed.
    await pause(pauseMs)
    if (page.blocked || signal.aborted) return undefined
    notice(page.text('offline'))
    checkout = await requestCheckout(place)
  }
  if (!checkout && !signal.aborted) reportFailure('WidgetError', `${place.base} cannot be reached`)
  return checkout
}

/** Resolves when the style sheet has loaded, has failed or takes too long. The form is drawn afterwards. */
async function addStyles({ base }: CheckoutAddress, signal: AbortSignal): Promise<void> {
  if (option('style') === 'none') return
  const href = `${base}/pages/assets/widget.css?${STYLE_INTEGRITY.slice(-8)}`
  const attributes = { rel: 'stylesheet', href, integrity: STYLE_INTEGRITY, crossorigin: 'anonymous' }
  const link = element('link', '', attributes)
  signal.addEventListener('abort', () => link.remove())
  const ended = new Promise((resolve) => {
    for (const event of ['load', 'error']) link.addEventListener(event, resolve)
  })
  document.head.append(link)
  await Promise.race([ended, pause(limits.styleMs)])
}

/**
 * Starts the form once the page's forms are parsed.
 *
 * @param life aborts the form and all its listeners
 * @param locale the language of the first state
 */
export async function start(
  place: CheckoutAddress,
  life: AbortController,
  first: FirstState,
  locale: string,
): Promise<void> {
  const { signal } = life
  if (signal.aborted) return
  signal.addEventListener('abort', clearPage)
  watchPolicy(place.base, signal)
  findForms()
  if (page.forms.length === 0) reportFailure('WidgetError', 'the page has no form of the class paymentWidgets')
  for (const form of page.forms) form.addEventListener('submit', (event) => event.preventDefault(), { signal })
  const styled = addStyles(place, signal)
  // The page may have chosen another language since the script was included.
  const checkout = await requestWithRetries(place, locale === localeOf() ? first : requestCheckout(place), signal)
  await styled
  if (!checkout || signal.aborted) return
  const text = textsOf(checkout.texts)
  const widget: Widget = { ...place, checkout, text, signal }
  page.text = text
  page.tag = checkout.tag
  page.direction = checkout.direction
  notice('')
  const paymentForm: PaymentForm = {
    widget,
    methods: page.methods,
    requestState: () => requestCheckout(place),
    cancel: () => requestCheckout({ ...place, id: `${place.id}/cancel` }, 'POST'),
    draw: async () => (page.methods.length === 0 ? begin(paymentForm, life) : undefined),
    inProgress: false,
  }
  switch (checkout.state) {
    case 'gone':
      return expire(paymentForm)
    case 'done':
      return offerToReturn(widget)
    case 'pending':
      void show(paymentForm, checkout)
      break
    case 'open':
      void paymentForm.draw()
  }
  addEventListener('pageshow', ({ persisted }) => void (persisted && refresh(paymentForm)), { signal })
}

/** The browser's Back restores the page from its cache, while the payment may have changed. */
async function refresh(paymentForm: PaymentForm): Promise<void> {
  endWait()
  const checkout = await paymentForm.requestState()
  if (checkout?.state === 'done') return offerToReturn(paymentForm.widget)
  if (checkout && (checkout.state !== 'open' || paymentForm.inProgress)) return show(paymentForm, checkout)
}

/** Shows that the checkout is complete, with a button to return to the shop. */
function offerToReturn(widget: Widget): void {
  const { text } = widget
  const [pageForm] = page.forms
  const button = element('button', 'button', { type: 'button' }, text('continueButton'))
  button.addEventListener('click', () => pageForm && returnToShop(widget, pageForm))
  showForms(false)
  notice(text('alreadyDone'), button)
}

async function begin(paymentForm: PaymentForm, life: AbortController): Promise<void> {
  drawAll(paymentForm)
  warnOfUnknown()
  const { text } = paymentForm.widget
  if (page.methods.length === 0) {
    reportFailure('WidgetError', 'data-brands names no brand that can be paid with')
    return notice(text('noMethod'))
  }
  window.wpwl = { unload: () => life.abort(), executePayment }
  for (const { wait, frame } of page.methods) if (frame) wait(true)
  await Promise.all(page.methods.flatMap(({ fields }) => fields.flatMap(({ ready }) => (ready ? [ready] : []))))
  for (const { wait } of page.methods) wait(false)
  if (page.blocked || paymentForm.inProgress || life.signal.aborted) return
  for (const { announce } of page.methods) announce('')
  void call('onReady')
}

/** Pays with the first form of that class, as if its button were pressed. */
function executePayment(name: string): void {
  const method = page.methods.find(({ root }) => root.classList.contains(name))
  if (method) method.form.requestSubmit()
  else reportFailure('WidgetError', `there is no ${name} to pay with`)
}
