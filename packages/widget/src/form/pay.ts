import type { WidgetCheckout, WidgetResult } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { send } from '../shared/send.ts'
import { authenticate } from './authenticate.ts'
import { declines } from './declines.ts'
import type { PaymentForm } from './payment-form.ts'
import { inputs } from './inputs.ts'
import type { Method } from './method.ts'
import { go, returnToShop } from './navigate.ts'
import { pause } from './pause.ts'
import { call, reportFailure, option } from './options.ts'
import { notice, page } from './page.ts'
import { endWait, wait } from './wait.ts'

/** The reason and the invalid parameters of a refused payment. */
type Refusal = Pick<WidgetResult, 'wrong' | 'reason'>

/** The field of a parameter, and the key of its error text. */
const fieldOf = (parameter: string): readonly [name: string, error: string] | undefined => {
  const other = Object.entries(inputs).find(([, input]) => input.parameter === parameter)?.[0]
  return fieldsOfParameters[parameter] ?? (other === undefined ? undefined : [other, 'errorRequired'])
}

const fieldsOfParameters: Readonly<Record<string, readonly [name: string, error: string]>> = {
  'card.number': ['cardNumber', 'errorCardNumber'],
  'card.expiryMonth': ['expiry', 'errorExpiry'],
  'card.expiryYear': ['expiry', 'errorExpiry'],
  'card.cvv': ['cvv', 'errorCvv'],
  'card.holder': ['cardHolder', 'errorHolder'],
  'bankAccount.holder': ['accountHolder', 'errorAccountHolder'],
  'bankAccount.iban': ['iban', 'errorIban'],
}

/** @param waiting the method whose payment is in progress, if there is one */
function setInProgress(paymentForm: PaymentForm, inProgress: boolean, waiting?: Method): void {
  paymentForm.inProgress = inProgress
  for (const method of paymentForm.methods) method.close(inProgress, method === waiting)
}

/** Closes the form permanently, with a message. */
function end(paymentForm: PaymentForm, method: Method | undefined, key: string): void {
  setInProgress(paymentForm, true)
  if (method) method.announce(paymentForm.widget.text(key))
  else notice(paymentForm.widget.text(key))
}

/** The checkout is expired; the shop has to create another one. */
export function expire(paymentForm: PaymentForm, method?: Method): void {
  reportFailure(
    'InvalidCheckoutIdError',
    `there is no checkout ${paymentForm.widget.id}, or it has expired: create a new one`,
  )
  end(paymentForm, method, 'expired')
}

/** Pays, if all fields are valid and the page's callback does not object. */
export async function pay(paymentForm: PaymentForm, method: Method): Promise<void> {
  if (paymentForm.inProgress) return
  const { widget } = paymentForm
  const { fields, announce } = method
  for (const field of fields) field.mark(field.error() && widget.text(field.error()))
  const wrong = fields.find((field) => field.error() !== '')
  if (wrong) return wrong.focus()
  setInProgress(paymentForm, true, method)
  announce('')
  if (method.kinds.includes('card') && (await call('onBeforeSubmitCard', method.form)) === false) {
    return setInProgress(paymentForm, false)
  }
  return submit(paymentForm, method)
}

async function submit(paymentForm: PaymentForm, method: Method): Promise<void> {
  const { widget } = paymentForm
  method.announce('', widget.text('processing'))
  const action = widget.checkout.purpose
  const { frame } = method
  const parameters = method.send()
  const result = await (frame ? frame.submit(action, parameters) : send(widget.base, widget.id, action, parameters))
  if (widget.signal.aborted) return
  void call('onAfterSubmit')
  return proceed(paymentForm, method, result)
}

function leave({ widget, methods }: PaymentForm, method = methods[0]): void {
  const pageForm = method?.pageForm ?? page.forms[0]
  method?.announce('', widget.text('returning'))
  if (pageForm) returnToShop(widget, pageForm)
}

async function proceed(paymentForm: PaymentForm, method: Method, result: WidgetResult): Promise<void> {
  switch (result.kind) {
    case 'done':
      return leave(paymentForm, method)
    case 'pending':
      return redirectShopper(paymentForm, method, result.redirect)
    case 'refused':
      return afterRefusal(paymentForm, method, result)
    case 'gone':
      return expire(paymentForm, method)
    case 'lost':
      return recover(paymentForm, method)
  }
}

/** Redirects to the bank if there is a redirect, else to the shop, which polls the payment. */
async function redirectShopper(
  paymentForm: PaymentForm,
  method: Method,
  redirect: WidgetResult['redirect'],
): Promise<void> {
  const { widget } = paymentForm
  if (!redirect) return leave(paymentForm, method)
  if (redirect.inFrame) return challenge(paymentForm, method, redirect)
  method.announce('', widget.text(method.fields.length > 0 ? 'authenticating' : 'redirecting', { brand: method.name }))
  const target = option('paymentTarget')
  go(redirect, target)
  if (/^_(?:self|parent|top)$/.test(target)) return
  // The bank's page is in another window, so this window polls the state.
  const checkout = await paymentForm.requestState()
  return checkout ? show(paymentForm, checkout, method) : recover(paymentForm, method)
}

/** Shows the bank's page in the place of the form, and afterwards the state of the checkout. */
async function challenge(
  paymentForm: PaymentForm,
  method: Method,
  redirect: NonNullable<WidgetResult['redirect']>,
): Promise<void> {
  const { announce } = method
  const ending = await authenticate(paymentForm.widget, method, redirect)
  announce('', paymentForm.widget.text('processing'))
  const checkout = await (ending === 'over' ? paymentForm.requestState() : paymentForm.cancel())
  // A CReq is never sent twice: a new attempt is another payment, with the same input.
  if (ending === 'again' && checkout?.state === 'open') return submit(paymentForm, method)
  if (ending === 'cancelled' && checkout?.state === 'open') return reopen(paymentForm, method)
  return checkout ? show(paymentForm, checkout, method) : recover(paymentForm, method)
}

/** Shows the state of the checkout at the gateway, which takes precedence over the answer to a submit. */
export async function show(
  paymentForm: PaymentForm,
  checkout: WidgetCheckout,
  method?: Method,
  refusal?: Refusal,
): Promise<void> {
  if (paymentForm.widget.signal.aborted) return
  endWait()
  for (const { announce } of paymentForm.methods) announce('')
  switch (checkout.state) {
    case 'done':
      return leave(paymentForm, method)
    case 'pending':
      setInProgress(paymentForm, true)
      return wait(paymentForm, checkout, {
        changed: (after, byShopper) =>
          void (byShopper && after.state === 'open' ? reopen(paymentForm, method) : show(paymentForm, after, method)),
      })
    case 'open':
      return refuse(paymentForm, method, refusal ?? { wrong: [], reason: checkout.declined })
    case 'gone':
      return expire(paymentForm, method)
  }
}

/** Opens the form for another payment. */
async function reopen(paymentForm: PaymentForm, method: Method | undefined): Promise<void> {
  endWait()
  setInProgress(paymentForm, false)
  await paymentForm.draw()
  const first = method ?? paymentForm.methods[0]
  first?.announce('')
  first?.fields[0]?.focus()
}

/** Another tab or another shopper may have paid the checkout or begun a payment since. */
async function afterRefusal(paymentForm: PaymentForm, method: Method, refusal: Refusal): Promise<void> {
  const checkout = await paymentForm.requestState()
  return checkout ? show(paymentForm, checkout, method, refusal) : recover(paymentForm, method)
}

async function refuse(paymentForm: PaymentForm, given: Method | undefined, { reason, wrong }: Refusal): Promise<void> {
  setInProgress(paymentForm, false)
  await paymentForm.draw()
  const method = given ?? paymentForm.methods[0]
  if (!method) return
  const { text, checkout } = paymentForm.widget
  const decline = declines[reason ?? 'generic']
  const key = checkout.purpose === 'registration' && decline.text === 'declined' ? 'notStored' : decline.text
  method.announce(text(key))
  const cvv = method.fields.find(({ name }) => name === 'cvv')
  // After a temporary failure the same input can be sent again.
  if (reason !== 'later') cvv?.clear()
  const errors = new Map([
    ...wrong.map(fieldOf).filter((found) => found !== undefined),
    ...Object.entries(decline.fields ?? {}),
  ])
  const marked = method.fields.filter(({ name }) => errors.has(name))
  for (const field of marked) field.mark(text(errors.get(field.name) ?? ''))
  const first = marked[0] ?? cvv ?? method.fields[0]
  first?.focus()
}

/**
 * Polls the state of a payment whose answer was lost. The shopper may pay again only after the gateway has repeatedly
 * reported that no payment exists; until then the form shows that the state is unknown.
 */
async function recover(paymentForm: PaymentForm, method: Method): Promise<void> {
  method.announce(paymentForm.widget.text('unknownState'))
  let open = 0
  for (const pauseMs of limits.pollPausesMs) {
    await pause(pauseMs)
    if (paymentForm.widget.signal.aborted) return
    const checkout = await paymentForm.requestState()
    open = checkout?.state === 'open' ? open + 1 : 0
    if (checkout?.redirect) return redirectShopper(paymentForm, method, checkout.redirect)
    if (checkout && checkout.state !== 'open') return show(paymentForm, checkout, method)
    if (checkout && open === limits.openAnswersMin) {
      return show(paymentForm, checkout, method, { wrong: [], reason: 'later' })
    }
  }
  reportFailure('WidgetError', 'the outcome of the payment is unknown')
  end(paymentForm, method, 'stillUnknown')
}
