import type { WidgetCheckout } from '@tollgate/contract'
import { limits } from '../limits.ts'
import type { PaymentForm } from './payment-form.ts'
import { element } from './dom.ts'
import { navigate, returnToShop } from './navigate.ts'
import { option } from './options.ts'
import { page, showForms, showNotice } from './page.ts'
import { pause } from './pause.ts'

/** Called when the checkout is no longer pending, or when the shopper has cancelled its payment. */
type OnChange = (checkout: WidgetCheckout, isCancelled: boolean) => void

/** The current wait. A new wait replaces it. */
let currentWait: object | undefined

export function endWait(): void {
  if (!currentWait) return
  currentWait = undefined
  showNotice('')
  showForms(true)
}

/**
 * Shows that a payment of the checkout is in progress, in this window, in another window or in an app of the bank. The
 * shopper can continue it, return to the shop or, if the gateway can still cancel it, pay another way. The state is
 * polled in the background.
 */
export function showWait(paymentForm: PaymentForm, checkout: WidgetCheckout, onChange: OnChange): void {
  const { text } = paymentForm.widget
  const { redirect, cancellable } = checkout
  const hadFocus = showForms(false)
  const message = text('underWay') + (cancellable && !redirect ? ` ${text('waitOrChange')}` : '')
  const resumeButton = createButton(text('continueButton'), '', () => {
    const [pageForm] = page.forms
    if (redirect) navigate(redirect, option('paymentTarget'))
    else if (pageForm) returnToShop(paymentForm.widget, pageForm)
  })
  const otherMethodButton = createButton(text('otherMethod'), ' button-other', () => void cancel())
  const buttons = cancellable ? [resumeButton, otherMethodButton] : [resumeButton]
  const thisWait = {}
  currentWait = thisWait
  showNotice(message, ...buttons)
  if (hadFocus) buttons[0]?.focus()

  async function cancel(): Promise<void> {
    for (const button of buttons) button.disabled = true
    const newCheckout = await paymentForm.cancel()
    if (currentWait !== thisWait) return
    if (newCheckout) return onChange(newCheckout, true)
    for (const button of buttons) button.disabled = false
    showNotice(text('offline'), ...buttons)
  }

  async function pollUntilOver(): Promise<void> {
    for (let polls = 0; polls < limits.waitingPollsMax; polls += 1) {
      await pause(limits.waitingPauseMs)
      if (currentWait !== thisWait || paymentForm.widget.signal.aborted) return
      const newCheckout = await paymentForm.requestState()
      if (currentWait !== thisWait) return
      if (newCheckout && newCheckout.state !== 'pending') return onChange(newCheckout, false)
    }
  }

  void pollUntilOver()
}

const createButton = (text: string, classes: string, press: () => void): HTMLButtonElement => {
  const button = element('button', `button${classes}`, { type: 'button' }, text)
  button.addEventListener('click', press)
  return button
}
