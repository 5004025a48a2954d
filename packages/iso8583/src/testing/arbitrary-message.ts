import fc from 'fast-check'
import type { Field, Message } from '../field.ts'
import { isBytesField } from '../field.ts'
import type { Spec } from '../spec.ts'

const digits = Array.from('0123456789')
const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
const special = printable.filter((character) => !letters.includes(character))

const alphabets = {
  n: digits,
  an: [...digits, ...letters, ' '],
  ans: printable,
  ns: special,
  xn: digits,
  z: [...digits, '='],
} as const

function valueOf(field: Field): fc.Arbitrary<string | Uint8Array> {
  const { kind, length, lengthDigits } = field
  const minLength = lengthDigits === 0 ? length : 0
  if (kind === 'b') return fc.uint8Array({ minLength, maxLength: Math.min(length, 499) })
  const unit = fc.constantFrom(...alphabets[kind])
  const text = fc.string({ unit, minLength, maxLength: length, size: 'max' })
  const signed = kind === 'xn' ? fc.tuple(fc.constantFrom('C', 'D'), text).map((parts) => parts.join('')) : text
  return isBytesField(field) ? signed.map((value) => Uint8Array.from(Buffer.from(value, 'latin1'))) : signed
}

/** Any message of a specification with up to twelve fields, whose values have the full length of fixed fields. */
export function arbitraryMessage(spec: Spec): fc.Arbitrary<Message> {
  const rows = Object.entries<Field>(spec.fields)
  const fields = fc
    .subarray(rows, { maxLength: 12 })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map(([number, field]) => [number, valueOf(field)]))))
  const type = fc.string({ unit: fc.constantFrom(...digits), minLength: 4, maxLength: 4 })
  return fc.record({ type, fields })
}
