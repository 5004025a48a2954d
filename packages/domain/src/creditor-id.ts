import { hasCheckDigits } from './iban.ts'

const SHAPE = /^([A-Z]{2}[0-9]{2})[A-Z0-9]{3}([A-Z0-9]{1,28})$/

/**
 * Whether a text identifies a creditor of SEPA direct debits (EPC, AT-02): country, check digits, a business code of
 * three characters, which the check digits do not cover, and the national part.
 */
export function isCreditorId(text: string): boolean {
  const [, head = '', national = ''] = SHAPE.exec(text) ?? []
  return head !== '' && hasCheckDigits(new TextEncoder().encode(head + national))
}
