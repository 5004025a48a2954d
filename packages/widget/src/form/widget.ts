import type { WidgetCheckout } from '@tollgate/contract'
import { option } from './options.ts'

/** The checkout that the page's script was asked for, and what is drawn of it. */
export interface Widget {
  /** Our address, without a slash at its end. */
  readonly base: string
  readonly id: string
  readonly checkout: WidgetCheckout
  /** Aborted when the page takes the form away (`wpwl.unload()`), or includes the script again. */
  readonly signal: AbortSignal
  readonly text: (key: string, values?: Readonly<Record<string, string>>) => string
}

/** Names that pages know from elsewhere for our texts. */
const aliases: Readonly<Record<string, string>> = {
  submit: 'pay',
  expiryDate: 'expiry',
  mmyy: 'expiryPlaceholder',
  holder: 'accountHolder',
}

/** The page's own texts go before ours. Placeholders stand in braces. */
export function textsOf(texts: Readonly<Record<string, string>>): Widget['text'] {
  const labels = { ...option('labels') }
  for (const [name, key] of Object.entries(aliases)) labels[key] ??= labels[name]
  return (key, values = {}) =>
    (labels[key] ?? texts[key] ?? key).replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}
