import type { WidgetCheckout } from '@tollgate/contract'
import { option } from './options.ts'

/** The checkout of the page's script, with its texts and the signal that ends its form. */
export interface Widget {
  /** The gateway's URL, without a trailing slash. */
  readonly base: string
  readonly id: string
  readonly checkout: WidgetCheckout
  /** Aborted when the page unloads the form (`wpwl.unload()`) or includes the script again. */
  readonly signal: AbortSignal
  readonly text: (key: string, values?: Readonly<Record<string, string>>) => string
}

/** Aliases of text keys that pages already use. */
const aliases: Readonly<Record<string, string>> = {
  submit: 'pay',
  expiryDate: 'expiry',
  mmyy: 'expiryPlaceholder',
  holder: 'accountHolder',
}

/**
 * A function from the key of a text to the text, with the values of its placeholders in braces. The page's option
 * `labels` takes precedence over the texts of the gateway.
 */
export function textsOf(texts: Readonly<Record<string, string>>): Widget['text'] {
  const labels = { ...option('labels') }
  for (const [name, key] of Object.entries(aliases)) labels[key] ??= labels[name]
  return (key, values = {}) =>
    (labels[key] ?? texts[key] ?? key).replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}
