import type { WidgetCheckout, WidgetResult } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { send } from '../shared/send.ts'
import { authenticate } from './authenticate.ts'
import { inputs } from './inputs.ts'
import type { Method } from './method.ts'
import { go, returnToShop } from './navigate.ts'
import { pause } from './pause.ts'
import { call, complain, option } from './options.ts'
import type { Widget } from './widget.ts'

/** The form as a whole: one payment at a time, whichever way it is paid. */
export interface Desk {
  readonly widget: Widget
  readonly methods: Method[]
  /** Asks the service how the checkout stands; undefined when it cannot be reached. */
  readonly ask: () => Promise<WidgetCheckout | undefined>
  underWay: boolean
}

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
  // By result code, where no parameter is named.
  '100.100.101': ['cardNumber', 'errorCardNumber'],
  '100.100.303': ['expiry', 'errorExpired'],
  '100.100.500': ['cardNumber', 'errorBrand'],
  '100.100.501': ['cardNumber', 'errorBrand'],
  '100.100.600': ['cvv', 'errorCvv'],
  '100.100.601': ['cvv', 'errorCvv'],
  '100.100.700': ['cardNumber', 'errorBrand'],
}

/** @param waiting the one that is being paid with, while there is something to wait for */
function setUnderWay(desk: Desk, underWay: boolean, waiting?: Method): void {
  desk.underWay = underWay
  for (const method of desk.methods) method.close(underWay, method === waiting)
}

/** Nothing more can be done here. */
function end(desk: Desk, { say }: Method, said: string): void {
  setUnderWay(desk, true)
  say(desk.widget.text(said))
}

/** Pays, if the fields are right and the page has nothing against it. */
export async function pay(desk: Desk, method: Method): Promise<void> {
  if (desk.underWay) return
  const { widget } = desk
  const { fields, frame, say } = method
  for (const field of fields) field.mark(field.error() && widget.text(field.error()))
  const wrong = fields.find((field) => field.error() !== '')
  if (wrong) return wrong.focus()
  setUnderWay(desk, true, method)
  say('')
  if (method.kinds.includes('card') && (await call('onBeforeSubmitCard', method.form)) === false) {
    return setUnderWay(desk, false)
  }
  say('', widget.text('processing'))
  const action = widget.checkout.purpose
  const parameters = method.send()
  const result = await (frame ? frame.submit(action, parameters) : send(widget.base, widget.id, action, parameters))
  void call('onAfterSubmit')
  return proceed(desk, method, result)
}

function leave({ widget }: Desk, { say, shop }: Method): void {
  say('', widget.text('returning'))
  returnToShop(widget, shop)
}

async function proceed(desk: Desk, method: Method, result: WidgetResult): Promise<void> {
  switch (result.kind) {
    case 'done':
      return leave(desk, method)
    case 'pending':
      return goOn(desk, method, result.redirect)
    case 'refused':
      return refuse(desk, method, result)
    case 'gone':
      return end(desk, method, 'expired')
    case 'lost':
      return findOut(desk, method)
  }
}

/** To the bank, if it wants to see the shopper; else to the shop, which knows how to wait. */
async function goOn(desk: Desk, method: Method, redirect: WidgetResult['redirect']): Promise<void> {
  const { widget } = desk
  if (!redirect) return leave(desk, method)
  if (redirect.inFrame) {
    await authenticate(widget, method, redirect)
    return leave(desk, method)
  }
  method.say('', widget.text(method.fields.length > 0 ? 'authenticating' : 'redirecting', { brand: method.name }))
  go(redirect, option('paymentTarget'))
}

function refuse(desk: Desk, { fields, say }: Method, { code = '', wrong }: WidgetResult): void {
  const { text, checkout } = desk.widget
  const refused = checkout.purpose === 'payment' ? 'declined' : 'notStored'
  // Too many requests, or one that we could not serve: nothing is wrong with the details.
  say(text(/^(?:800\.120|900\.)/.test(code) ? 'tryAgain' : refused))
  setUnderWay(desk, false)
  const cvv = fields.find(({ name }) => name === 'cvv')
  cvv?.clear()
  const blames = [...wrong, code].map(fieldOf).filter((found) => found !== undefined)
  for (const [name, error] of blames) fields.find((field) => field.name === name)?.mark(text(error))
  const first = fields.find(({ name }) => blames.some(([blamedName]) => blamedName === name)) ?? cvv ?? fields[0]
  first?.focus()
}

/**
 * Asks what became of a payment whose answer was lost. The shopper may pay again when the service has said more than
 * once that nothing was paid; until then nobody knows, and the form says so.
 */
async function findOut(desk: Desk, method: Method): Promise<void> {
  const { widget } = desk
  method.say(widget.text('unknownState'))
  let open = 0
  let pending = false
  for (const pauseMs of limits.questionPausesMs) {
    await pause(pauseMs)
    const checkout = await desk.ask()
    open = checkout?.state === 'open' ? open + 1 : 0
    pending = checkout?.state === 'pending'
    if (checkout?.state === 'done') return leave(desk, method)
    if (checkout?.state === 'gone') return end(desk, method, 'expired')
    if (checkout?.redirect) return goOn(desk, method, checkout.redirect)
    if (open === limits.openAnswersWanted) {
      setUnderWay(desk, false)
      return method.say(widget.text('tryAgain'))
    }
  }
  if (pending) return leave(desk, method)
  complain('WidgetError', 'what became of the payment could not be found out')
  end(desk, method, 'stillUnknown')
}
