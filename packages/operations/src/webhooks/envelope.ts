import { withoutCustomerData } from '@tollgate/domain'
import type { EventRow } from '@tollgate/storage'

/**
 * A notification (contract, Events): "a standard response wrapped in an envelope". The payload is inserted unchanged,
 * so that it is "identical to the payment response" to the letter, unless the webhook's fieldFilter excludes data of
 * the customer.
 */
export function renderEnvelope({ type, action, payload }: EventRow, fieldFilter: string): string {
  const text = fieldFilter === 'ALL' ? payload : JSON.stringify(withoutCustomerData(JSON.parse(payload)))
  const head = JSON.stringify({ type, action: action ?? undefined }).slice(0, -1)
  const tail = JSON.stringify(presentationOf(payload))
  return `${head},"payload":${text}${tail === '{}' ? '}' : `,${tail.slice(1)}`}`
}

/** Fields of a notification beside its payload: the amount and currency of the answer; a registration has none. */
function presentationOf(payload: string) {
  const [, amount, currency] = FIRST_MEMBERS.exec(payload) ?? []
  if (amount !== undefined) return { presentationAmount: amount, presentationCurrency: currency }
  const parsed: { readonly amount?: unknown; readonly currency?: unknown } = JSON.parse(payload)
  return { presentationAmount: textOf(parsed.amount), presentationCurrency: textOf(parsed.currency) }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/**
 * Matches the first members of nearly every payment's answer: unescaped texts that include amount and currency. Only
 * other answers are parsed.
 */
const FIRST_MEMBERS = /^\{(?:"(?!amount")\w+":"[^"\\]*",)*"amount":"([^"\\]*)","currency":"([^"\\]*)"/

/** The envelope of every test delivery: for a new webhook, a new key or a new URL, and at an operator's request. */
export const testEnvelope = '{"type":"test","action":"webhook activation","payload":{}}'
