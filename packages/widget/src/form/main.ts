// Draws a form for each way to pay into the merchant's page; what is secret of a card is typed into frames of ours.
import type { WidgetCheckout } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { ask, localeOf, type Place } from '../shared/ask.ts'
import type { Desk } from './desk.ts'
import { element } from './dom.ts'
import { drawAll } from './draw.ts'
import { returnToShop } from './navigate.ts'
import { call, complain, option, warnOfUnknown } from './options.ts'
import { clearPage, findForms, notice, page, showForms, watchPolicy } from './page.ts'
import { pause } from './pause.ts'
import { expire, show } from './pay.ts'
import { endWait } from './wait.ts'
import { textsOf, type Widget } from './widget.ts'

declare const STYLE_INTEGRITY: string

/** How the checkout stood when the page was loaded. */
type Answer = Promise<WidgetCheckout | undefined>

/** Asks until there is an answer, or nothing more to be hoped for. */
async function askAgain(place: Place, first: Answer, signal: AbortSignal): Promise<WidgetCheckout | undefined> {
  let checkout = await first
  for (const pauseMs of limits.questionPausesMs) {
    if (checkout) return checkout
    // What the policy blocks, the browser tells a moment after the request has failed.
    await pause(pauseMs)
    if (page.blocked || signal.aborted) return undefined
    notice(page.text('offline'))
    checkout = await ask(place)
  }
  if (!checkout && !signal.aborted) complain('WidgetError', `${place.base} cannot be reached`)
  return checkout
}

/** Resolves when the style sheet has loaded, has failed or takes too long: until then the form is not drawn. */
async function addStyles({ base }: Place, signal: AbortSignal): Promise<void> {
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
 * Begins, once the page's forms are there.
 *
 * @param life ends the form, and everything that it has begun
 * @param locale in which the answer is
 */
export async function start(place: Place, life: AbortController, first: Answer, locale: string): Promise<void> {
  const { signal } = life
  if (signal.aborted) return
  signal.addEventListener('abort', clearPage)
  watchPolicy(place.base, signal)
  findForms()
  if (page.forms.length === 0) complain('WidgetError', 'the page has no form of the class paymentWidgets')
  for (const form of page.forms) form.addEventListener('submit', (event) => event.preventDefault(), { signal })
  const styled = addStyles(place, signal)
  // The page may have chosen another language since the script was included.
  const checkout = await askAgain(place, locale === localeOf() ? first : ask(place), signal)
  await styled
  if (!checkout || signal.aborted) return
  const text = textsOf(checkout.texts)
  const widget: Widget = { ...place, checkout, text, signal }
  page.text = text
  page.tag = checkout.tag
  page.direction = checkout.direction
  notice('')
  const desk: Desk = {
    widget,
    methods: page.methods,
    ask: () => ask(place),
    cancel: () => ask({ ...place, id: `${place.id}/cancel` }, 'POST'),
    draw: async () => (page.methods.length === 0 ? begin(desk, life) : undefined),
    underWay: false,
  }
  switch (checkout.state) {
    case 'gone':
      return expire(desk)
    case 'done':
      return offerToReturn(widget)
    case 'pending':
      void show(desk, checkout)
      break
    case 'open':
      void desk.draw()
  }
  addEventListener('pageshow', ({ persisted }) => void (persisted && lookAgain(desk)), { signal })
}

/** The browser's Back restores the page from its cache, while the payment may have changed. */
async function lookAgain(desk: Desk): Promise<void> {
  endWait()
  const checkout = await desk.ask()
  if (checkout?.state === 'done') return offerToReturn(desk.widget)
  if (checkout && (checkout.state !== 'open' || desk.underWay)) return show(desk, checkout)
}

/** There is nothing to pay. */
function offerToReturn(widget: Widget): void {
  const { text } = widget
  const [shop] = page.forms
  const button = element('button', 'button', { type: 'button' }, text('continueButton'))
  button.addEventListener('click', () => shop && returnToShop(widget, shop))
  showForms(false)
  notice(text('alreadyDone'), button)
}

async function begin(desk: Desk, life: AbortController): Promise<void> {
  drawAll(desk)
  warnOfUnknown()
  const { text } = desk.widget
  if (page.methods.length === 0) {
    complain('WidgetError', 'data-brands names no brand that can be paid with')
    return notice(text('noMethod'))
  }
  window.wpwl = { unload: () => life.abort(), executePayment }
  for (const { wait, frame } of page.methods) if (frame) wait(true)
  await Promise.all(page.methods.flatMap(({ fields }) => fields.flatMap(({ ready }) => (ready ? [ready] : []))))
  for (const { wait } of page.methods) wait(false)
  if (page.blocked || desk.underWay || life.signal.aborted) return
  for (const { say } of page.methods) say('')
  void call('onReady')
}

/** Pays with the first form of that class, as if its button were pressed. */
function executePayment(name: string): void {
  const method = page.methods.find(({ root }) => root.classList.contains(name))
  if (method) method.form.requestSubmit()
  else complain('WidgetError', `there is no ${name} to pay with`)
}
