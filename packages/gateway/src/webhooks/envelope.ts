import { type Json, withoutCustomerData } from '@tollgate/domain'
import type { EventRow } from '@tollgate/storage'

/**
 * A notification (contract, Events): "a standard response wrapped in an envelope". The payload is spliced in as it is,
 * so that it is "identical to the payment response" to the letter, unless it is to say nothing of the customer.
 */
export function envelope({ type, action, payload }: EventRow, fieldFilter: string): string {
  const answer: Json = JSON.parse(payload)
  const text = fieldFilter === 'ALL' ? payload : JSON.stringify(withoutCustomerData(answer))
  const presentation = presentationOf(answer)
  const head = JSON.stringify({ type, action: action ?? undefined }).slice(0, -1)
  const tail = JSON.stringify({ presentationAmount: presentation.amount, presentationCurrency: presentation.currency })
  return `${head},"payload":${text}${tail === '{}' ? '}' : `,${tail.slice(1)}`}`
}

function presentationOf(answer: Json): { readonly amount?: Json; readonly currency?: Json } {
  return typeof answer === 'object' && answer !== null && 'amount' in answer ? answer : {}
}

/** What a webhook is sent before it is active. */
export const testEnvelope = '{"type":"test","action":"webhook activation","payload":{}}'
