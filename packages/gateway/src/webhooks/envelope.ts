import { withoutCustomerData } from '@tollgate/domain'
import type { EventRow } from '@tollgate/storage'

/**
 * A notification (contract, Events): "a standard response wrapped in an envelope". The payload is spliced in as it is,
 * so that it is "identical to the payment response" to the letter, unless it is to say nothing of the customer.
 */
export function envelope({ type, action, payload }: EventRow, fieldFilter: string): string {
  const text = fieldFilter === 'ALL' ? payload : JSON.stringify(withoutCustomerData(JSON.parse(payload)))
  const presentation = presentationOf(payload)
  const head = JSON.stringify({ type, action: action ?? undefined }).slice(0, -1)
  const tail = JSON.stringify({ presentationAmount: presentation.amount, presentationCurrency: presentation.currency })
  return `${head},"payload":${text}${tail === '{}' ? '}' : `,${tail.slice(1)}`}`
}

/**
 * The answer's own amount and currency. They stand in its head, where all values are texts without quotes and nothing
 * of the merchant's comes before them, so that the whole of it need not be parsed.
 */
function presentationOf(payload: string): {
  readonly amount?: string | undefined
  readonly currency?: string | undefined
} {
  const [, amount, currency] = HEAD.exec(payload) ?? []
  return { amount, currency }
}

const HEAD = /^\{(?:"(?!amount")\w+":"[^"\\]*",)*"amount":"([^"\\]*)","currency":"([^"\\]*)"/

/** What a webhook is sent before it is active. */
export const testEnvelope = '{"type":"test","action":"webhook activation","payload":{}}'
