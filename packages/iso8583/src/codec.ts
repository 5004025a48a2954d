import { bytesOf, type Content, type Value } from './content.ts'
import type { Fields, Message } from './field.ts'
import { FieldError } from './field-error.ts'
import { joinedFields } from './joined-fields.ts'
import { follows, isOfKind, kindRules } from './kinds.ts'
import { type FieldLayout, layoutsOf } from './layout.ts'
import { limits } from './limits.ts'
import type { Dialect, Spec } from './spec.ts'
import { wipeValues } from './wipe-message.ts'

const TYPE = 0
const BITMAP = 1
const BITMAP_BYTES = 8
const TYPE_DIGITS = 4

/**
 * Encodes a message without the header of a frame. Shorter values of fields with a fixed length are filled: digits with
 * zeros on the left, texts with spaces on the right.
 *
 * @returns bytes that may contain secrets: the caller erases them after use
 * @throws FieldError names the field of a wrong value
 */
export const encodeMessage = <F extends Fields>(spec: Spec<F>, message: Message<F>): Uint8Array =>
  encodeAfter(0, spec, message)

/**
 * Encodes a message, as `encodeMessage` does, after bytes for the header of its frame.
 *
 * @returns the header's bytes, which are zeros, and the message
 */
export function encodeAfter<F extends Fields>(headerBytes: number, spec: Spec<F>, message: Message<F>): Uint8Array
export function encodeAfter(headerBytes: number, spec: Spec, { type, fields }: Message): Uint8Array {
  const { dialect } = spec
  if (type.length !== TYPE_DIGITS || !isOfKind('n', type)) throw new FieldError('must be 4 digits', TYPE)
  const rows = layoutsOf(spec)
  const present: { readonly layout: FieldLayout; readonly value: Value }[] = []
  let size = dialect.digits.sizeOf(TYPE_DIGITS)
  for (let number = 0; number < rows.length; number++) {
    const value = fields[number]
    if (value === undefined) continue
    const layout = rows[number]
    if (layout === undefined) throw notInSpec(spec, number)
    const filled = filledValue(layout, value)
    present.push({ layout, value: filled })
    size += layout.lengthBytes + layout.content.sizeOf(filled.length)
  }
  if (countOf(fields) !== present.length) throw notInSpec(spec, unknownNumber(rows, fields))
  const bitmap = bitmapOf(present.map(({ layout }) => layout.number))
  size += dialect.bitmap.sizeOf(bitmap.length)
  if (size > limits.frameBytesMax) throw new FieldError(`must be at most ${limits.frameBytesMax} bytes`)

  const bytes = bytesOf(headerBytes + size)
  let offset = headerBytes
  dialect.digits.write(bytes, offset, type)
  offset += dialect.digits.sizeOf(TYPE_DIGITS)
  dialect.bitmap.write(bytes, offset, bitmap)
  offset += dialect.bitmap.sizeOf(bitmap.length)
  for (const { layout, value } of present) offset = writeField(dialect, layout, value, bytes, offset)
  return bytes
}

/**
 * Decodes a message without the header of a frame. Values of fixed length keep their filling.
 *
 * @returns secret values in bytes of their own, which the caller erases after use
 * @throws FieldError names the field and the offset of the fault
 */
export function decodeMessage<F extends Fields>(spec: Spec<F>, bytes: Uint8Array): Message<F>
export function decodeMessage(spec: Spec, bytes: Uint8Array): Message {
  const { dialect } = spec
  if (bytes.length > limits.frameBytesMax) throw new FieldError(`must be at most ${limits.frameBytesMax} bytes`)
  const layouts = layoutsOf(spec)
  const type = readType(dialect, bytes)
  let offset = dialect.digits.sizeOf(TYPE_DIGITS)
  const bitmap = readBitmap(dialect, bytes, offset)
  offset += dialect.bitmap.sizeOf(bitmap.length)
  const numbers: number[] = []
  const values: Value[] = []
  try {
    for (let number = BITMAP + 1; number <= 8 * bitmap.length; number++) {
      if (((bitmap[(number - 1) >> 3] ?? 0) & (0x80 >> ((number - 1) & 7))) === 0) continue
      const layout = layouts[number]
      if (layout === undefined) throw notInSpec(spec, number, offset)
      const length = layout.isFixed ? layout.length : readLength(dialect, layout, bytes, offset)
      offset += layout.lengthBytes
      numbers.push(number)
      values.push(readValue(layout, bytes, offset, length))
      offset += layout.content.sizeOf(length)
    }
    if (offset < bytes.length) throw new FieldError('must end after its last field', undefined, offset)
  } catch (error) {
    wipeValues(values)
    throw error
  }
  return { type, fields: joinedFields(numbers, values) }
}

const notInSpec = ({ name }: Spec, number: number | undefined, offset?: number): FieldError =>
  new FieldError(`is not in the specification ${name}`, number, offset)

/** The number of values. They are counted without `Object.keys`, which creates a text for each number. */
function countOf(fields: Message['fields']): number {
  let count = 0
  for (const value of Object.values(fields)) if (value !== undefined) count += 1
  return count
}

/** The number of a value above all rows. */
const unknownNumber = (rows: readonly unknown[], fields: Message['fields']): number | undefined =>
  Object.keys(fields)
    .map(Number)
    .find((number) => rows[number] === undefined && fields[number] !== undefined)

/** The value of a field with its filling. @throws FieldError if the field cannot hold the value */
function filledValue(layout: FieldLayout, value: Value): Value {
  const { number, isBytes, rule, lengthMax, isFixed } = layout
  if (isBytes !== (typeof value !== 'string'))
    throw new FieldError(isBytes ? 'must be bytes' : 'must be a text', number)
  if (!follows(rule, value)) throw new FieldError(`must be ${rule.describe}`, number)
  const filled = isFixed && value.length < lengthMax ? withFilling(layout, value) : value
  if (filled.length > lengthMax || (isFixed && filled.length < lengthMax))
    throw new FieldError(`must have ${layout.describedLength}`, number)
  return filled
}

function withFilling({ rule: { padding }, length }: FieldLayout, value: Value): Value {
  if (padding === undefined) return value
  const { character, side } = padding
  if (typeof value === 'string')
    return side === 'left' ? value.padStart(length, character) : value.padEnd(length, character)
  const filled = bytesOf(length).fill(character.charCodeAt(0))
  filled.set(value, side === 'left' ? length - value.length : 0)
  return filled
}

/** @returns the offset of its end */
function writeField(dialect: Dialect, layout: FieldLayout, value: Value, target: Uint8Array, start: number): number {
  const { content, lengthDigits, lengthBytes, unitsPerLength } = layout
  if (lengthDigits > 0)
    dialect.digits.write(target, start, String(unitsPerLength * value.length).padStart(lengthDigits, '0'))
  content.write(target, start + lengthBytes, value)
  return start + lengthBytes + content.sizeOf(value.length)
}

/** The characters of a value that becomes a text, reused for each. Texts are no secrets. */
const characters = Buffer.alloc(limits.fieldCharsMax)

function readType({ digits }: Dialect, source: Uint8Array): string {
  read(digits, source, 0, characters, TYPE_DIGITS, TYPE)
  if (!follows(kindRules.n, characters, TYPE_DIGITS)) throw new FieldError('must be 4 digits', TYPE, 0)
  return characters.toString('latin1', 0, TYPE_DIGITS)
}

function readValue(
  { content, rule, isBytes, number }: FieldLayout,
  source: Uint8Array,
  offset: number,
  length: number,
) {
  // Only bytes that are returned must be erasable: those of a text are on the heap, as the text is.
  const value = isBytes ? bytesOf(length) : characters
  try {
    read(content, source, offset, value, length, number)
    if (!follows(rule, value, length)) throw new FieldError(`must be ${rule.describe}`, number, offset)
  } catch (error) {
    value.fill(0, 0, length)
    throw error
  }
  return isBytes ? value : characters.toString('latin1', 0, length)
}

/** The length that an indicator states. */
function readLength({ digits }: Dialect, layout: FieldLayout, source: Uint8Array, offset: number): number {
  const { number, lengthDigits, unitsPerLength } = layout
  read(digits, source, offset, characters, lengthDigits, number)
  if (!follows(kindRules.n, characters, lengthDigits))
    throw new FieldError('must begin with its length in digits', number, offset)
  let count = 0
  for (let i = 0; i < lengthDigits; i++) count = 10 * count + (characters[i] ?? 0) - ZERO
  const length = count / unitsPerLength
  if (!Number.isInteger(length)) throw new FieldError('must have two hexadecimal digits for each byte', number, offset)
  if (length > layout.length) throw new FieldError(`must have ${layout.describedLength}`, number, offset)
  return length
}

const ZERO = 0x30

/** Reads a value to the start of the target, after a check that the message has enough bytes. */
function read(
  content: Content,
  source: Uint8Array,
  offset: number,
  target: Uint8Array,
  length: number,
  field: number,
): void {
  if (offset + content.sizeOf(length) > source.length)
    throw new FieldError('must not end after the message', field, offset)
  try {
    content.read(source, offset, target, length)
  } catch (error) {
    if (error instanceof FieldError) throw new FieldError(error.problem, field, offset)
    throw error
  }
}

function readBitmap({ bitmap }: Dialect, source: Uint8Array, offset: number): Uint8Array {
  const read8 = new Uint8Array(BITMAP_BYTES)
  read(bitmap, source, offset, read8, BITMAP_BYTES, BITMAP)
  if (((read8[0] ?? 0) & 0x80) === 0) return read8
  const read16 = new Uint8Array(2 * BITMAP_BYTES)
  read(bitmap, source, offset, read16, 2 * BITMAP_BYTES, BITMAP)
  return read16
}

/** The bitmap of fields, with a second half if a field is above 64. @param numbers ascending */
function bitmapOf(numbers: readonly number[]): Uint8Array {
  const hasSecond = (numbers.at(-1) ?? 0) > 8 * BITMAP_BYTES
  const bitmap = new Uint8Array(hasSecond ? 2 * BITMAP_BYTES : BITMAP_BYTES)
  if (hasSecond) bitmap[0] = 0x80
  for (const number of numbers) {
    const at = (number - 1) >> 3
    bitmap[at] = (bitmap[at] ?? 0) | (0x80 >> ((number - 1) & 7))
  }
  return bitmap
}
