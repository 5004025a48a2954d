import type { WidgetCheckout, WidgetResult } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { postPayment } from '../shared/post-payment.ts'
import { authenticate } from './authenticate.ts'
import { declines } from './declines.ts'
import type { PaymentForm } from './payment-form.ts'
import { inputs } from './inputs.ts'
import type { Method } from './method.ts'
import { navigate, returnToShop } from './navigate.ts'
import { pause } from './pause.ts'
import { call, option, reportFailure } from './options.ts'
import { page, showNotice } from './page.ts'
import { endWait, showWait } from './wait.ts'

/** The reason and the invalid parameters of a refused payment. */
type Refusal = Pick<WidgetResult, 'wrong' | 'reason'>

/** The field of a parameter, and the key of its error text; undefined if the form has no field for the parameter. */
const fieldOf = (parameter: string): readonly [name: string, error: string] | undefined => {
  const inputName = Object.entries(inputs).find(([, input]) => input.parameter === parameter)?.[0]
  return fieldsOfParameters[parameter] ?? (inputName === undefined ? undefined : [inputName, 'errorRequired'])
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

/** @param payingMethod the method whose button shows that its payment is in progress, if any */
function setInProgress(paymentForm: PaymentForm, isInProgress: boolean, payingMethod?: Method): void {
  paymentForm.isInProgress = isInProgress
  for (const method of paymentForm.methods) method.setClosed(isInProgress, method === payingMethod)
}

/** Closes the form permanently, with a message. */
function closeForm(paymentForm: PaymentForm, method: Method | undefined, key: string): void {
  setInProgress(paymentForm, true)
  if (method) method.announce(paymentForm.widget.text(key))
  else showNotice(paymentForm.widget.text(key))
}

/** Closes the form because the checkout does not exist or has expired. The shop has to create another checkout. */
export function expire(paymentForm: PaymentForm, method?: Method): void {
  reportFailure(
    'InvalidCheckoutIdError',
    `there is no checkout ${paymentForm.widget.id}, or it has expired: create a new one`,
  )
  closeForm(paymentForm, method, 'expired')
}

/** Pays if all fields are valid and the merchant's callback `onBeforeSubmitCard` does not prevent it. */
export async function pay(paymentForm: PaymentForm, method: Method): Promise<void> {
  if (paymentForm.isInProgress || page.isBlocked) return
  const { widget } = paymentForm
  const { fields, announce } = method
  for (const field of fields) field.mark(field.error() && widget.text(field.error()))
  const invalidField = fields.find((field) => field.error() !== '')
  if (invalidField) return invalidField.focus()
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
  const parameters = method.paymentParameters()
  const result = await (frame
    ? frame.submit(action, parameters)
    : postPayment(widget.base, widget.id, action, parameters))
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
      return handleRefusal(paymentForm, method, result)
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
  if (redirect.inFrame) return authenticateInFrame(paymentForm, method, redirect)
  method.announce('', widget.text(method.fields.length > 0 ? 'authenticating' : 'redirecting', { brand: method.name }))
  const target = option('paymentTarget')
  navigate(redirect, target)
  if (/^_(?:self|parent|top)$/.test(target)) return
  // The bank's page is in another window, so this window polls the state.
  const checkout = await paymentForm.requestState()
  return checkout ? showState(paymentForm, checkout, method) : recover(paymentForm, method)
}

/** Shows the bank's page in the place of the form, and afterwards the state of the checkout. */
async function authenticateInFrame(
  paymentForm: PaymentForm,
  method: Method,
  redirect: NonNullable<WidgetResult['redirect']>,
): Promise<void> {
  const { announce } = method
  const reason = await authenticate(paymentForm.widget, method, redirect)
  announce('', paymentForm.widget.text('processing'))
  const checkout = await (reason === 'ended' ? paymentForm.requestState() : paymentForm.cancel())
  // A CReq is never sent twice: a new attempt is another payment, with the same input.
  if (reason === 'restarted' && checkout?.state === 'open') return submit(paymentForm, method)
  if (reason === 'cancelled' && checkout?.state === 'open') return reopen(paymentForm, method)
  return checkout ? showState(paymentForm, checkout, method) : recover(paymentForm, method)
}

/** Shows the state of the checkout at the gateway, which takes precedence over the answer to a payment. */
export async function showState(
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
      return showWait(paymentForm, checkout, (newCheckout, isCancelled) => {
        if (isCancelled && newCheckout.state === 'open') void reopen(paymentForm, method)
        else void showState(paymentForm, newCheckout, method)
      })
    case 'open':
      return showRefusal(paymentForm, method, refusal ?? { wrong: [], reason: checkout.declined })
    case 'gone':
      return expire(paymentForm, method)
  }
}

/** Opens the form for another payment. */
async function reopen(paymentForm: PaymentForm, method: Method | undefined): Promise<void> {
  endWait()
  setInProgress(paymentForm, false)
  await paymentForm.draw()
  const openedMethod = method ?? paymentForm.methods[0]
  openedMethod?.announce('')
  openedMethod?.fields[0]?.focus()
}

/**
 * Shows the state of the checkout after a refused payment: another tab or another shopper may have paid the checkout or
 * begun a payment.
 */
async function handleRefusal(paymentForm: PaymentForm, method: Method, refusal: Refusal): Promise<void> {
  const checkout = await paymentForm.requestState()
  return checkout ? showState(paymentForm, checkout, method, refusal) : recover(paymentForm, method)
}

/** Opens the form again, and shows the reason of the refusal on the form and beside the fields. */
async function showRefusal(
  paymentForm: PaymentForm,
  refusedMethod: Method | undefined,
  { reason, wrong }: Refusal,
): Promise<void> {
  setInProgress(paymentForm, false)
  await paymentForm.draw()
  const method = refusedMethod ?? paymentForm.methods[0]
  if (!method) return
  const { text, checkout } = paymentForm.widget
  const decline = declines[reason ?? 'generic']
  const key = checkout.purpose === 'registration' && decline.text === 'declined' ? 'notStored' : decline.text
  method.announce(text(key))
  const cvv = method.fields.find(({ name }) => name === 'cvv')
  // The cvv is kept after a temporary failure, because the shopper can send the same input again.
  if (reason !== 'later') cvv?.clear()
  const errors = new Map([
    ...wrong.map(fieldOf).filter((field) => field !== undefined),
    ...Object.entries(decline.fields ?? {}),
  ])
  const marked = method.fields.filter(({ name }) => errors.has(name))
  for (const field of marked) field.mark(text(errors.get(field.name) ?? ''))
  const focused = marked[0] ?? cvv ?? method.fields[0]
  focused?.focus()
}

/**
 * Polls the state of a payment whose answer was lost. The shopper may pay again only after the gateway has repeatedly
 * reported that no payment exists; until then the form shows that the state is unknown.
 */
async function recover(paymentForm: PaymentForm, method: Method): Promise<void> {
  method.announce(paymentForm.widget.text('unknownState'))
  let openAnswers = 0
  for (const pauseMs of limits.pollPausesMs) {
    await pause(pauseMs)
    if (paymentForm.widget.signal.aborted) return
    const checkout = await paymentForm.requestState()
    openAnswers = checkout?.state === 'open' ? openAnswers + 1 : 0
    if (checkout?.redirect) return redirectShopper(paymentForm, method, checkout.redirect)
    if (checkout && checkout.state !== 'open') return showState(paymentForm, checkout, method)
    if (checkout && openAnswers === limits.openAnswersMin) {
      return showState(paymentForm, checkout, method, { wrong: [], reason: 'later' })
    }
  }
  reportFailure('WidgetError', 'the outcome of the payment is unknown')
  closeForm(paymentForm, method, 'stillUnknown')
}
