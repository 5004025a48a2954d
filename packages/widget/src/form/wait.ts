import type { WidgetCheckout } from '@tollgate/contract'
import { limits } from '../limits.ts'
import type { Desk } from './desk.ts'
import { element } from './dom.ts'
import { go, returnToShop } from './navigate.ts'
import { option } from './options.ts'
import { notice, page, showForms } from './page.ts'
import { pause } from './pause.ts'

/** Ends of a wait. */
interface Ends {
  /** The checkout is no longer pending, or the shopper has cancelled its payment. */
  readonly changed: (checkout: WidgetCheckout, byShopper: boolean) => void
}

/** The wait that is shown; another one ends it. */
let shown: object | undefined

export function endWait(): void {
  if (!shown) return
  shown = undefined
  notice('')
  showForms(true)
}

/**
 * A payment of the checkout is under way, here, in another window or in an app of the bank: the shopper goes on to it,
 * back to the shop or, where the service can still cancel it, pays another way. Its state is polled meanwhile.
 */
export function wait(desk: Desk, checkout: WidgetCheckout, ends: Ends): void {
  const { text } = desk.widget
  const { redirect, cancellable } = checkout
  const wasIn = showForms(false)
  const said = text('underWay') + (cancellable && !redirect ? ` ${text('waitOrChange')}` : '')
  const onward = button(text('continueButton'), '', () => {
    const [shop] = page.forms
    if (redirect) go(redirect, option('paymentTarget'))
    else if (shop) returnToShop(desk.widget, shop)
  })
  const change = button(text('otherMethod'), ' button-other', () => void cancel())
  const buttons = cancellable ? [onward, change] : [onward]
  const mine = {}
  shown = mine
  notice(said, ...buttons)
  if (wasIn) buttons[0]?.focus()

  async function cancel(): Promise<void> {
    for (const one of buttons) one.disabled = true
    const after = await desk.cancel()
    if (shown !== mine) return
    if (after) return ends.changed(after, true)
    for (const one of buttons) one.disabled = false
    notice(text('offline'), ...buttons)
  }

  async function askUntilOver(): Promise<void> {
    for (let asked = 0; asked < limits.waitingQuestionsMax; asked += 1) {
      await pause(limits.waitingPauseMs)
      if (shown !== mine || desk.widget.signal.aborted) return
      const after = await desk.ask()
      if (shown !== mine) return
      if (after && after.state !== 'pending') return ends.changed(after, false)
    }
  }

  void askUntilOver()
}

const button = (said: string, classes: string, press: () => void): HTMLButtonElement => {
  const made = element('button', `button${classes}`, { type: 'button' }, said)
  made.addEventListener('click', press)
  return made
}
