import { decodeIccData } from './ber-tlv.ts'
import type { Field, Fields, Message } from './field.ts'
import { FieldError } from './field-error.ts'
import { decodePrivateData } from './private-data.ts'
import type { Spec } from './spec.ts'

const MASK = '***'
const ICC_DATA = 55
const PRIVATE_DATA = 48
const CARD_NUMBER = 2
const EXPIRATION = 14

/** Whether the text of a field is not printed: the expiry of a card, or data of each acquirer, such as names. */
const isMasked = (number: number): boolean => number === EXPIRATION || (number >= 56 && number <= 63) || number >= 104

/** The tags of field 48 that are printed; of the others only the length. A cvv, say, is never printed. */
const printedTags: ReadonlySet<string> = new Set(['02', '05', '06', '07', '09', '13', '14', '16', '17', '19', '21'])

/**
 * A message as lines for people: number, name and value of each field. Secret values are masked: of a card number the
 * first six and the last four digits are shown, of other secrets, the expiry and reserved fields only their length.
 */
export function printMessage<F extends Fields>(spec: Spec<F>, { type, fields }: Message<F>): string {
  const lines = Object.entries<string | Uint8Array | undefined>(fields).flatMap(([number, value]) => {
    const field = spec.fields[Number(number)]
    if (value === undefined || field === undefined) return []
    return [`${number.padStart(3)} ${field.name}: ${printed(Number(number), field, value)}`]
  })
  return [`type ${type}`, ...lines].join('\n')
}

function printed(number: number, { secrecy }: Field, value: string | Uint8Array): string {
  if (typeof value === 'string') return isMasked(number) ? lengthOnly(value) : value
  if (number === PRIVATE_DATA) return elementsOf(() => privateElements(value), value)
  if (number === ICC_DATA) return elementsOf(() => iccElements(value), value)
  if (number === CARD_NUMBER) return maskedCardNumber(value)
  return secrecy === undefined ? Buffer.from(value).toString('hex') : lengthOnly(value)
}

function elementsOf(read: () => readonly string[], value: Uint8Array): string {
  try {
    return read().join(' ')
  } catch (error) {
    if (error instanceof FieldError) return lengthOnly(value)
    throw error
  }
}

const privateElements = (value: Uint8Array): readonly string[] =>
  Array.from(decodePrivateData(value), ([tag, element]) =>
    printedTags.has(tag) ? `${tag}=${Buffer.from(element).toString('latin1')}` : `${tag}=${lengthOnly(element)}`,
  )

const iccElements = (value: Uint8Array): readonly string[] =>
  decodeIccData(value).map(({ tag, value: element }) => `${tag}=${lengthOnly(element)}`)

const lengthOnly = (value: string | Uint8Array): string => `${MASK} (${value.length})`

function maskedCardNumber(digits: Uint8Array): string {
  if (digits.length < 12) return lengthOnly(digits)
  const text = (from: number, to?: number): string => Buffer.from(digits.subarray(from, to)).toString('latin1')
  return `${text(0, 6)}${'*'.repeat(digits.length - 10)}${text(digits.length - 4)}`
}
