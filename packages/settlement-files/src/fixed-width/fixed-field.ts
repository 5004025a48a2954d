import type { Field } from '../field.ts'
import { count } from '../value-kinds.ts'

/** A field of a record: its number of characters, and what it contains. */
export interface FixedField extends Field {
  readonly length: number
}

export const column = (length: number, field: Field): FixedField => ({ ...field, length })

/** A required number, filled with zeros. */
export const counter = (name: string, member: string, digits: number): FixedField => ({
  name,
  member,
  length: digits,
  kind: count(0, Math.min(10 ** digits - 1, Number.MAX_SAFE_INTEGER), digits),
  isRequired: true,
})

/** The fields that each record begins with: its type, and its number in the file from 1, without gaps. */
export const recordHead = { typeLength: 2, number: counter('RecordNumber', 'recordNumber', 8) } as const

/** The offset after the type and the number of a record. */
export const headLength = recordHead.typeLength + recordHead.number.length

/** The hash total after an amount. */
export const addToHashTotal = (hashTotal: number, amountMinor: number): number => (hashTotal + amountMinor) % 1e15
