// Draws a form for each way to pay into the merchant's page; what is secret of a card is typed into frames of ours.
import type { WidgetCheckout } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { ask, type Place } from '../shared/ask.ts'
import { element } from './dom.ts'
import { drawAll } from './draw.ts'
import { returnToShop } from './navigate.ts'
import { call, complain, option, warnOfUnknown } from './options.ts'
import { notice, page, showForms, watchPolicy } from './page.ts'
import { pause } from './pause.ts'
import { type Desk, show } from './pay.ts'
import { endWait } from './wait.ts'
import { textsOf, type Widget } from './widget.ts'

declare const STYLE_INTEGRITY: string

/** How the checkout stood when the page was loaded. */
type Answer = Promise<WidgetCheckout | undefined>

/** Asks until there is an answer, or nothing more to be hoped for. */
async function askAgain(place: Place, first: Answer): Promise<WidgetCheckout | undefined> {
  let checkout = await first
  for (const pauseMs of limits.questionPausesMs) {
    if (checkout) return checkout
    // What the policy blocks, the browser tells a moment after the request has failed.
    await pause(pauseMs)
    if (page.blocked) return undefined
    notice(page.text('offline'))
    checkout = await ask(place)
  }
  if (!checkout) complain('WidgetError', `${place.base} cannot be reached`)
  return checkout
}

function addStyles({ base }: Place): void {
  const href = `${base}/pages/assets/widget.css?${STYLE_INTEGRITY.slice(-8)}`
  const attributes = { rel: 'stylesheet', href, integrity: STYLE_INTEGRITY, crossorigin: 'anonymous' }
  if (option('style') !== 'none') document.head.append(element('link', '', attributes))
}

/** Begins, once the page's forms are there. */
export async function start(place: Place, first: Answer): Promise<void> {
  watchPolicy(place.base)
  page.forms.push(...document.querySelectorAll<HTMLFormElement>('form.paymentWidgets'))
  for (const form of page.forms) form.addEventListener('submit', (event) => event.preventDefault())
  const checkout = await askAgain(place, first)
  if (!checkout) return
  const text = textsOf(checkout.texts)
  const widget: Widget = { ...place, checkout, text }
  page.text = text
  page.tag = checkout.tag
  page.direction = checkout.direction
  notice('')
  addStyles(place)
  const desk: Desk = {
    widget,
    methods: page.methods,
    ask: () => ask(place),
    cancel: () => ask({ ...place, id: `${place.id}/cancel` }, 'POST'),
    draw: async () => (page.methods.length === 0 ? begin(desk) : undefined),
    underWay: false,
  }
  switch (checkout.state) {
    case 'gone':
      complain('InvalidCheckoutIdError', `there is no checkout ${place.id}, or it has expired: create a new one`)
      return notice(text('expired'))
    case 'done':
      return offerToReturn(widget)
    case 'pending':
      void show(desk, checkout)
      break
    case 'open':
      void desk.draw()
  }
  addEventListener('pageshow', ({ persisted }) => void (persisted && lookAgain(desk)))
}

/** Back from elsewhere: the page is as it was, the payment may not be. */
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

async function begin(desk: Desk): Promise<void> {
  drawAll(desk)
  warnOfUnknown()
  if (page.methods.length === 0) return complain('WidgetError', 'data-brands names no brand that can be paid with')
  window.wpwl = { executePayment }
  const { text } = desk.widget
  for (const { say, frame } of page.methods) if (frame) say('', text('loading'))
  await Promise.all(page.methods.flatMap(({ fields }) => fields.flatMap(({ ready }) => (ready ? [ready] : []))))
  if (page.blocked || desk.underWay) return
  for (const { say } of page.methods) say('')
  void call('onReady')
}

/** Pays with the first form of that class, as if its button were pressed. */
function executePayment(name: string): void {
  const method = page.methods.find(({ root }) => root.classList.contains(name))
  if (method) method.form.requestSubmit()
  else complain('WidgetError', `there is no ${name} to pay with`)
}
