import { withoutCustomerData } from '@tollgate/domain'
import type { EventRow } from '@tollgate/storage'

/**
 * A notification (contract, Events): "a standard response wrapped in an envelope". The payload is spliced in as it is,
 * so that it is "identical to the payment response" to the letter, unless it is to say nothing of the customer.
 */
export function envelope({ type, action, payload }: EventRow, fieldFilter: string): string {
  const text = fieldFilter === 'ALL' ? payload : JSON.stringify(withoutCustomerData(JSON.parse(payload)))
  const head = JSON.stringify({ type, action: action ?? undefined }).slice(0, -1)
  const tail = JSON.stringify(presentationOf(payload))
  return `${head},"payload":${text}${tail === '{}' ? '}' : `,${tail.slice(1)}`}`
}

/** Fields of a notification beside its payload. */
interface Presentation {
  readonly presentationAmount?: string | undefined
  readonly presentationCurrency?: string | undefined
}

/** The answer's own amount and currency; a registration's has none. */
function presentationOf(payload: string): Presentation {
  const [, amount, currency] = HEAD.exec(payload) ?? []
  if (amount !== undefined) return { presentationAmount: amount, presentationCurrency: currency }
  const parsed: { readonly amount?: unknown; readonly currency?: unknown } = JSON.parse(payload)
  return { presentationAmount: textOf(parsed.amount), presentationCurrency: textOf(parsed.currency) }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/**
 * What nearly every payment's answer begins with: texts in which nothing is quoted, amount and currency among them, so
 * that the whole of it need not be parsed. An answer that begins in another way is.
 */
const HEAD = /^\{(?:"(?!amount")\w+":"[^"\\]*",)*"amount":"([^"\\]*)","currency":"([^"\\]*)"/

/** What a webhook is sent before it is active. */
export const testEnvelope = '{"type":"test","action":"webhook activation","payload":{}}'
