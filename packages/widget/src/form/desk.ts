import type { WidgetCheckout } from '@tollgate/contract'
import type { Method } from './method.ts'
import type { Widget } from './widget.ts'

/** The form as a whole: one payment at a time, whichever way it is paid. */
export interface Desk {
  readonly widget: Widget
  readonly methods: Method[]
  /** Asks the service how the checkout stands; undefined when it cannot be reached. */
  readonly ask: () => Promise<WidgetCheckout | undefined>
  /** Cancels the pending payment at the service first. */
  readonly cancel: () => Promise<WidgetCheckout | undefined>
  /** Draws the ways to pay, where they are not drawn yet; resolves when they can be filled in. */
  readonly draw: () => Promise<void>
  underWay: boolean
}
