import type { WidgetCheckout, WidgetResult } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { send } from '../shared/send.ts'
import { authenticate } from './authenticate.ts'
import { declines } from './declines.ts'
import type { Desk } from './desk.ts'
import { inputs } from './inputs.ts'
import type { Method } from './method.ts'
import { go, returnToShop } from './navigate.ts'
import { pause } from './pause.ts'
import { call, complain, option } from './options.ts'
import { notice, page } from './page.ts'
import { endWait, wait } from './wait.ts'

/** Why the shopper has to pay again. */
type Refusal = Pick<WidgetResult, 'wrong' | 'reason'>

/** Which field a parameter is, and what is then wrong with it. */
const fieldOf = (parameter: string): readonly [name: string, error: string] | undefined => {
  const other = Object.entries(inputs).find(([, input]) => input.parameter === parameter)?.[0]
  return blamed[parameter] ?? (other === undefined ? undefined : [other, 'errorRequired'])
}

const blamed: Readonly<Record<string, readonly [name: string, error: string]>> = {
  'card.number': ['cardNumber', 'errorCardNumber'],
  'card.expiryMonth': ['expiry', 'errorExpiry'],
  'card.expiryYear': ['expiry', 'errorExpiry'],
  'card.cvv': ['cvv', 'errorCvv'],
  'card.holder': ['cardHolder', 'errorHolder'],
  'bankAccount.holder': ['accountHolder', 'errorAccountHolder'],
  'bankAccount.iban': ['iban', 'errorIban'],
}

/** @param waiting the one that is being paid with, while there is something to wait for */
function setUnderWay(desk: Desk, underWay: boolean, waiting?: Method): void {
  desk.underWay = underWay
  for (const method of desk.methods) method.close(underWay, method === waiting)
}

/** Nothing more can be done here. */
function end(desk: Desk, method: Method | undefined, said: string): void {
  setUnderWay(desk, true)
  if (method) method.say(desk.widget.text(said))
  else notice(desk.widget.text(said))
}

/** The checkout takes no payment any more; another one has to be created. */
export function expire(desk: Desk, method?: Method): void {
  complain('InvalidCheckoutIdError', `there is no checkout ${desk.widget.id}, or it has expired: create a new one`)
  end(desk, method, 'expired')
}

/** Pays, if the fields are right and the page has nothing against it. */
export async function pay(desk: Desk, method: Method): Promise<void> {
  if (desk.underWay) return
  const { widget } = desk
  const { fields, say } = method
  for (const field of fields) field.mark(field.error() && widget.text(field.error()))
  const wrong = fields.find((field) => field.error() !== '')
  if (wrong) return wrong.focus()
  setUnderWay(desk, true, method)
  say('')
  if (method.kinds.includes('card') && (await call('onBeforeSubmitCard', method.form)) === false) {
    return setUnderWay(desk, false)
  }
  return submit(desk, method)
}

async function submit(desk: Desk, method: Method): Promise<void> {
  const { widget } = desk
  method.say('', widget.text('processing'))
  const action = widget.checkout.purpose
  const { frame } = method
  const parameters = method.send()
  const result = await (frame ? frame.submit(action, parameters) : send(widget.base, widget.id, action, parameters))
  if (widget.signal.aborted) return
  void call('onAfterSubmit')
  return proceed(desk, method, result)
}

function leave({ widget, methods }: Desk, method = methods[0]): void {
  const shop = method?.shop ?? page.forms[0]
  method?.say('', widget.text('returning'))
  if (shop) returnToShop(widget, shop)
}

async function proceed(desk: Desk, method: Method, result: WidgetResult): Promise<void> {
  switch (result.kind) {
    case 'done':
      return leave(desk, method)
    case 'pending':
      return goOn(desk, method, result.redirect)
    case 'refused':
      return afterRefusal(desk, method, result)
    case 'gone':
      return expire(desk, method)
    case 'lost':
      return findOut(desk, method)
  }
}

/** To the bank, if it wants to see the shopper; else to the shop, which knows how to wait. */
async function goOn(desk: Desk, method: Method, redirect: WidgetResult['redirect']): Promise<void> {
  const { widget } = desk
  if (!redirect) return leave(desk, method)
  if (redirect.inFrame) return challenge(desk, method, redirect)
  method.say('', widget.text(method.fields.length > 0 ? 'authenticating' : 'redirecting', { brand: method.name }))
  const target = option('paymentTarget')
  go(redirect, target)
  if (/^_(?:self|parent|top)$/.test(target)) return
  // The bank's page is in another window: this one learns how it ends.
  const checkout = await desk.ask()
  return checkout ? show(desk, checkout, method) : findOut(desk, method)
}

/** Shows the bank's page in the form's place, and the state of the checkout when that has ended. */
async function challenge(desk: Desk, method: Method, redirect: NonNullable<WidgetResult['redirect']>): Promise<void> {
  const { say } = method
  const how = await authenticate(desk.widget, method, redirect)
  say('', desk.widget.text('processing'))
  const checkout = await (how === 'over' ? desk.ask() : desk.cancel())
  // A CReq is never sent twice: a new attempt is another payment, with the same input.
  if (how === 'again' && checkout?.state === 'open') return submit(desk, method)
  if (how === 'cancelled' && checkout?.state === 'open') return reopen(desk, method)
  return checkout ? show(desk, checkout, method) : findOut(desk, method)
}

/** Shows the state of the checkout at the service, which outranks the answer to a submit. */
export async function show(desk: Desk, checkout: WidgetCheckout, method?: Method, refusal?: Refusal): Promise<void> {
  if (desk.widget.signal.aborted) return
  endWait()
  for (const { say } of desk.methods) say('')
  switch (checkout.state) {
    case 'done':
      return leave(desk, method)
    case 'pending':
      setUnderWay(desk, true)
      return wait(desk, checkout, {
        changed: (after, byShopper) =>
          void (byShopper && after.state === 'open' ? reopen(desk, method) : show(desk, after, method)),
      })
    case 'open':
      return refuse(desk, method, refusal ?? { wrong: [], reason: checkout.declined })
    case 'gone':
      return expire(desk, method)
  }
}

/** The shopper may pay again. */
async function reopen(desk: Desk, method: Method | undefined): Promise<void> {
  endWait()
  setUnderWay(desk, false)
  await desk.draw()
  const first = method ?? desk.methods[0]
  first?.say('')
  first?.fields[0]?.focus()
}

/** The checkout may have been paid meanwhile, or a payment begun: in another tab, or by another shopper. */
async function afterRefusal(desk: Desk, method: Method, refusal: Refusal): Promise<void> {
  const checkout = await desk.ask()
  return checkout ? show(desk, checkout, method, refusal) : findOut(desk, method)
}

async function refuse(desk: Desk, given: Method | undefined, { reason, wrong }: Refusal): Promise<void> {
  setUnderWay(desk, false)
  await desk.draw()
  const method = given ?? desk.methods[0]
  if (!method) return
  const { text, checkout } = desk.widget
  const decline = declines[reason ?? 'generic']
  const said = checkout.purpose === 'registration' && decline.text === 'declined' ? 'notStored' : decline.text
  method.say(text(said))
  const cvv = method.fields.find(({ name }) => name === 'cvv')
  // After a temporary failure the same input can be sent again.
  if (reason !== 'later') cvv?.clear()
  const blames = new Map([
    ...wrong.map(fieldOf).filter((found) => found !== undefined),
    ...Object.entries(decline.fields ?? {}),
  ])
  const marked = method.fields.filter(({ name }) => blames.has(name))
  for (const field of marked) field.mark(text(blames.get(field.name) ?? ''))
  const first = marked[0] ?? cvv ?? method.fields[0]
  first?.focus()
}

/**
 * Asks what became of a payment whose answer was lost. The shopper may pay again when the service has said more than
 * once that nothing was paid; until then nobody knows, and the form says so.
 */
async function findOut(desk: Desk, method: Method): Promise<void> {
  method.say(desk.widget.text('unknownState'))
  let open = 0
  for (const pauseMs of limits.questionPausesMs) {
    await pause(pauseMs)
    if (desk.widget.signal.aborted) return
    const checkout = await desk.ask()
    open = checkout?.state === 'open' ? open + 1 : 0
    if (checkout?.redirect) return goOn(desk, method, checkout.redirect)
    if (checkout && checkout.state !== 'open') return show(desk, checkout, method)
    if (checkout && open === limits.openAnswersWanted) {
      return show(desk, checkout, method, { wrong: [], reason: 'later' })
    }
  }
  complain('WidgetError', 'what became of the payment could not be found out')
  end(desk, method, 'stillUnknown')
}
