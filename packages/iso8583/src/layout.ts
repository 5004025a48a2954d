import type { Content } from './content.ts'
import { type Field, isBytesField } from './field.ts'
import { type KindRule, kindRules } from './kinds.ts'
import { limits } from './limits.ts'
import type { Spec } from './spec.ts'

/** The row of a field with the values that the codec derives from it and its dialect. */
export interface FieldLayout {
  readonly number: number
  /** Whether the value is bytes; otherwise it is a text. */
  readonly isBytes: boolean
  readonly rule: KindRule
  readonly content: Content
  readonly isFixed: boolean
  /** The length, or the maximum of a variable length, in characters; of kind b in bytes. */
  readonly length: number
  /** The length, or the maximum of a variable length, that the length indicator can state too. */
  readonly lengthMax: number
  /** The digits of the length indicator; 0: the length is fixed. */
  readonly lengthDigits: number
  /** The bytes of the length indicator. */
  readonly lengthBytes: number
  /** The units that the length indicator counts for each character or byte. */
  readonly unitsPerLength: 1 | 2
  /** For errors: `at most 19 characters`. */
  readonly describedLength: string
}

const layouts = new WeakMap<Spec, readonly (FieldLayout | undefined)[]>()

/**
 * The layouts of a specification's fields, by their number.
 *
 * @throws RangeError if a number is not 2 to 128, or a text is longer than 999 characters
 */
export function layoutsOf(spec: Spec): readonly (FieldLayout | undefined)[] {
  const known = layouts.get(spec)
  if (known) return known
  const numbers = Object.keys(spec.fields).map(Number)
  const all = Array.from({ length: Math.max(...numbers) + 1 }, (_, number) => {
    const field = spec.fields[number]
    return field && layoutOf(spec, number, field)
  })
  layouts.set(spec, all)
  return all
}

function layoutOf({ dialect }: Spec, number: number, field: Field): FieldLayout {
  const { kind, lengthDigits } = field
  if (number < 2 || number > limits.fieldMax) throw new RangeError(`field ${number}: must be 2 to ${limits.fieldMax}`)
  if (!isBytesField(field) && field.length > limits.fieldCharsMax)
    throw new RangeError(`field ${number}: must have at most ${limits.fieldCharsMax} characters`)
  const isFixed = lengthDigits === 0
  // The sign of an amount is one of its characters.
  const length = kind === 'xn' ? field.length + 1 : field.length
  const unitsPerLength = kind === 'b' && dialect.countsHexDigits ? 2 : 1
  const lengthMax = isFixed ? length : Math.min(length, Math.floor((10 ** lengthDigits - 1) / unitsPerLength))
  return {
    number,
    isBytes: isBytesField(field),
    rule: kindRules[kind],
    content: dialect.contents[isFixed ? 'fixed' : 'variable'][kind],
    isFixed,
    length,
    lengthMax,
    lengthDigits,
    lengthBytes: dialect.digits.sizeOf(lengthDigits),
    unitsPerLength,
    describedLength: `${isFixed ? '' : 'at most '}${lengthMax} ${kind === 'b' ? 'bytes' : 'characters'}`,
  }
}
