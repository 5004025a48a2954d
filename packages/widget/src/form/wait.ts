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
let shown: object | undefined

export function endWait(): void {
  if (!shown) return
  shown = undefined
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
  const wasIn = showForms(false)
  const message = text('underWay') + (cancellable && !redirect ? ` ${text('waitOrChange')}` : '')
  const onward = button(text('continueButton'), '', () => {
    const [shop] = page.forms
    if (redirect) go(redirect, option('paymentTarget'))
    else if (shop) returnToShop(paymentForm.widget, shop)
  })
  const change = button(text('otherMethod'), ' button-other', () => void cancel())
  const buttons = cancellable ? [onward, change] : [onward]
  const mine = {}
  shown = mine
  notice(message, ...buttons)
  if (wasIn) buttons[0]?.focus()

  async function cancel(): Promise<void> {
    for (const one of buttons) one.disabled = true
    const after = await paymentForm.cancel()
    if (shown !== mine) return
    if (after) return callbacks.changed(after, true)
    for (const one of buttons) one.disabled = false
    notice(text('offline'), ...buttons)
  }

  async function askUntilOver(): Promise<void> {
    for (let polls = 0; polls < limits.waitingPollsMax; polls += 1) {
      await pause(limits.waitingPauseMs)
      if (shown !== mine || paymentForm.widget.signal.aborted) return
      const after = await paymentForm.requestState()
      if (shown !== mine) return
      if (after && after.state !== 'pending') return callbacks.changed(after, false)
    }
  }

  void askUntilOver()
}

const button = (text: string, classes: string, press: () => void): HTMLButtonElement => {
  const made = element('button', `button${classes}`, { type: 'button' }, text)
  made.addEventListener('click', press)
  return made
}
