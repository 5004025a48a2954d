import type { WidgetCheckout } from '@tollgate/contract'
import type { Method } from './method.ts'
import type { Widget } from './widget.ts'

/** The form as a whole. Only one payment is in progress at a time, with any of its methods. */
export interface PaymentForm {
  readonly widget: Widget
  readonly methods: Method[]
  /** Reads the state of the checkout from the gateway; undefined if the gateway cannot be reached. */
  readonly requestState: () => Promise<WidgetCheckout | undefined>
  /** Cancels the pending payment at the gateway, and returns the state of the checkout. */
  readonly cancel: () => Promise<WidgetCheckout | undefined>
  /** Draws the payment methods unless they are drawn already; resolves when they can be filled in. */
  readonly draw: () => Promise<void>
  /** Whether no payment can begin, because one is in progress or the form is closed permanently. */
  isInProgress: boolean
}
