import type { WidgetCheckout } from '@tollgate/contract'
import type { Method } from './method.ts'
import type { Widget } from './widget.ts'

/** The form as a whole: one payment at a time, whichever way it is paid. */
export interface PaymentForm {
  readonly widget: Widget
  readonly methods: Method[]
  /** Reads the state of the checkout from the gateway; undefined when it cannot be reached. */
  readonly requestState: () => Promise<WidgetCheckout | undefined>
  /** Cancels the pending payment at the service first. */
  readonly cancel: () => Promise<WidgetCheckout | undefined>
  /** Draws the ways to pay unless they are drawn already; resolves when they can be filled in. */
  readonly draw: () => Promise<void>
  inProgress: boolean
}
