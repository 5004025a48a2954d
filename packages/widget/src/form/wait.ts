import type { WidgetCheckout } from '@tollgate/contract'
import { limits } from '../limits.ts'
import type { PaymentForm } from './payment-form.ts'
import { element } from './dom.ts'
import { go, returnToShop } from './navigate.ts'
import { option } from './options.ts'
import { notice, page, showForms } from './page.ts'
import { pause } from './pause.ts'

/** Callbacks of a wait. */
interface WaitCallbacks {
  /** The checkout is no longer pending, or the shopper has cancelled its payment. */
  readonly changed: (checkout: WidgetCheckout, byShopper: boolean) => void
}

/** The current wait; the next one replaces it. */
let currentWait: object | undefined

export function endWait(): void {
  if (!currentWait) return
  currentWait = undefined
  notice('')
  showForms(true)
}

/**
 * Shows that a payment of the checkout is in progress, here, in another window or in an app of the bank: the shopper
 * can continue it, return to the shop or, if the gateway can still cancel it, pay another way. The state is polled in
 * the background.
 */
export function wait(paymentForm: PaymentForm, checkout: WidgetCheckout, callbacks: WaitCallbacks): void {
  const { text } = paymentForm.widget
  const { redirect, cancellable } = checkout
  const hadFocus = showForms(false)
  const message = text('underWay') + (cancellable && !redirect ? ` ${text('waitOrChange')}` : '')
  const resumeButton = button(text('continueButton'), '', () => {
    const [pageForm] = page.forms
    if (redirect) go(redirect, option('paymentTarget'))
    else if (pageForm) returnToShop(paymentForm.widget, pageForm)
  })
  const change = button(text('otherMethod'), ' button-other', () => void cancel())
  const buttons = cancellable ? [resumeButton, change] : [resumeButton]
  const thisWait = {}
  currentWait = thisWait
  notice(message, ...buttons)
  if (hadFocus) buttons[0]?.focus()

  async function cancel(): Promise<void> {
    for (const one of buttons) one.disabled = true
    const after = await paymentForm.cancel()
    if (currentWait !== thisWait) return
    if (after) return callbacks.changed(after, true)
    for (const one of buttons) one.disabled = false
    notice(text('offline'), ...buttons)
  }

  async function pollUntilOver(): Promise<void> {
    for (let polls = 0; polls < limits.waitingPollsMax; polls += 1) {
      await pause(limits.waitingPauseMs)
      if (currentWait !== thisWait || paymentForm.widget.signal.aborted) return
      const after = await paymentForm.requestState()
      if (currentWait !== thisWait) return
      if (after && after.state !== 'pending') return callbacks.changed(after, false)
    }
  }

  void pollUntilOver()
}

const button = (text: string, classes: string, press: () => void): HTMLButtonElement => {
  const node = element('button', `button${classes}`, { type: 'button' }, text)
  node.addEventListener('click', press)
  return node
}
