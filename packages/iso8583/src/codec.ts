import { bytesOf, type Content, type Value } from './content.ts'
import { type Field, type Fields, isBytesField, type Message } from './field.ts'
import { FieldError } from './field-error.ts'
import { describeKind, isOfKind, paddingOf } from './kinds.ts'
import { limits } from './limits.ts'
import type { Dialect, Spec } from './spec.ts'

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
export function encodeMessage<F extends Fields>(spec: Spec<F>, message: Message<F>): Uint8Array {
  const { dialect } = spec
  if (message.type.length !== TYPE_DIGITS || !isOfKind('n', message.type))
    throw new FieldError('must be 4 digits', TYPE)
  const encoded = encodedFields(spec, message)
  const bitmap = bitmapOf(encoded)
  let size = dialect.digits.sizeOf(TYPE_DIGITS) + dialect.bitmap.sizeOf(bitmap.length)
  for (const { field, value } of encoded) size += sizeOfField(dialect, field, value)
  if (size > limits.frameBytesMax) throw new FieldError(`must be at most ${limits.frameBytesMax} bytes`)

  const bytes = bytesOf(size)
  dialect.digits.write(bytes, 0, message.type)
  let offset = dialect.digits.sizeOf(TYPE_DIGITS)
  dialect.bitmap.write(bytes, offset, bitmap)
  offset += dialect.bitmap.sizeOf(bitmap.length)
  for (const { field, value } of encoded) offset = writeField(dialect, field, value, bytes, offset)
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
  const { dialect, fields } = spec
  if (bytes.length > limits.frameBytesMax) throw new FieldError(`must be at most ${limits.frameBytesMax} bytes`)
  const type = read(dialect.digits, bytes, 0, new Uint8Array(TYPE_DIGITS), TYPE)
  if (!isOfKind('n', type)) throw new FieldError('must be 4 digits', TYPE, 0)
  let offset = dialect.digits.sizeOf(TYPE_DIGITS)
  const bitmap = readBitmap(dialect, bytes, offset)
  offset += dialect.bitmap.sizeOf(bitmap.length)
  const values: Record<number, Value> = {}
  try {
    for (const number of numbersIn(bitmap)) {
      const field = fields[number]
      if (field === undefined) throw new FieldError(`is not in the specification ${spec.name}`, number, offset)
      const { value, end } = readField(dialect, field, number, bytes, offset)
      values[number] = isBytesField(field) ? value : textOf(value)
      offset = end
    }
    if (offset < bytes.length) throw new FieldError('must end after its last field', undefined, offset)
  } catch (error) {
    for (const value of Object.values(values)) if (value instanceof Uint8Array) value.fill(0)
    throw error
  }
  return { type: textOf(type), fields: values }
}

/** The fields of a message, by ascending numbers. */
function encodedFields(spec: Spec, { fields }: Message): readonly EncodedField[] {
  const encoded: EncodedField[] = []
  for (const name of Object.keys(fields)) {
    const number = Number(name)
    const value = fields[number]
    if (value !== undefined) encoded.push(encodedField(spec, number, value))
  }
  return encoded
}

interface EncodedField {
  readonly number: number
  readonly field: Field
  /** The value with its filling. */
  readonly value: Value
}

function encodedField({ name, dialect, fields }: Spec, number: number, value: Value): EncodedField {
  const field = fields[number]
  if (field === undefined) throw new FieldError(`is not in the specification ${name}`, number)
  if (isBytesField(field) !== (typeof value !== 'string'))
    throw new FieldError(isBytesField(field) ? 'must be bytes' : 'must be a text', number)
  if (!isOfKind(field.kind, value)) throw new FieldError(`must be ${describeKind(field.kind)}`, number)
  const filled = withFilling(field, value)
  const length = lengthMax(dialect, field)
  if (filled.length > length || (field.lengthDigits === 0 && filled.length < length))
    throw new FieldError(`must have ${describeLength(dialect, field)}`, number)
  return { number, field, value: filled }
}

/** The length of a field in characters: the sign of an amount is one of them. */
const lengthOf = ({ kind, length }: Field): number => (kind === 'xn' ? length + 1 : length)

/** The length, or the maximum of a variable length, that the length indicator can state too. */
const lengthMax = (dialect: Dialect, field: Field): number =>
  field.kind === 'b' && dialect.countsHexDigits && field.lengthDigits > 0
    ? Math.min(lengthOf(field), Math.floor((10 ** field.lengthDigits - 1) / 2))
    : lengthOf(field)

function describeLength(dialect: Dialect, field: Field): string {
  const unit = field.kind === 'b' ? 'bytes' : 'characters'
  return `${field.lengthDigits === 0 ? '' : 'at most '}${lengthMax(dialect, field)} ${unit}`
}

function withFilling(field: Field, value: Value): Value {
  const padding = paddingOf(field.kind)
  const missing = lengthOf(field) - value.length
  if (field.lengthDigits !== 0 || padding === undefined || missing <= 0) return value
  const { character, side } = padding
  if (typeof value === 'string')
    return side === 'left' ? value.padStart(lengthOf(field), character) : value.padEnd(lengthOf(field), character)
  const filled = bytesOf(lengthOf(field)).fill(character.charCodeAt(0))
  filled.set(value, side === 'left' ? missing : 0)
  return filled
}

const contentOf = ({ contents }: Dialect, { kind, lengthDigits }: Field): Content =>
  contents[lengthDigits === 0 ? 'fixed' : 'variable'][kind]

/** The number in the length indicator of a value. */
const indicated = ({ countsHexDigits }: Dialect, { kind }: Field, length: number): number =>
  kind === 'b' && countsHexDigits ? 2 * length : length

function sizeOfField(dialect: Dialect, field: Field, { length }: Value): number {
  return dialect.digits.sizeOf(field.lengthDigits) + contentOf(dialect, field).sizeOf(length)
}

/** @returns the offset of its end */
function writeField(dialect: Dialect, field: Field, value: Value, target: Uint8Array, start: number): number {
  const { lengthDigits } = field
  const length = String(indicated(dialect, field, value.length)).padStart(lengthDigits, '0')
  if (lengthDigits > 0) dialect.digits.write(target, start, length)
  const offset = start + dialect.digits.sizeOf(lengthDigits)
  const content = contentOf(dialect, field)
  content.write(target, offset, value)
  return offset + content.sizeOf(value.length)
}

function readField(
  dialect: Dialect,
  field: Field,
  number: number,
  source: Uint8Array,
  start: number,
): { readonly value: Uint8Array; readonly end: number } {
  const { kind, lengthDigits } = field
  const offset = start + dialect.digits.sizeOf(lengthDigits)
  const length = lengthDigits === 0 ? lengthOf(field) : readLength(dialect, field, number, source, start)
  const content = contentOf(dialect, field)
  // Only bytes that are returned must be erasable: those of a text are on the heap, as the text is.
  const value = read(content, source, offset, isBytesField(field) ? bytesOf(length) : new Uint8Array(length), number)
  if (!isOfKind(kind, value)) {
    value.fill(0)
    throw new FieldError(`must be ${describeKind(kind)}`, number, offset)
  }
  return { value, end: offset + content.sizeOf(length) }
}

/** The length that an indicator states. */
function readLength(dialect: Dialect, field: Field, number: number, source: Uint8Array, offset: number): number {
  const digits = read(dialect.digits, source, offset, new Uint8Array(field.lengthDigits), number)
  if (!isOfKind('n', digits)) throw new FieldError('must begin with its length in digits', number, offset)
  const count = Number(textOf(digits))
  const length = field.kind === 'b' && dialect.countsHexDigits ? count / 2 : count
  if (!Number.isInteger(length)) throw new FieldError('must have two hexadecimal digits for each byte', number, offset)
  if (length > lengthOf(field)) throw new FieldError(`must have ${describeLength(dialect, field)}`, number, offset)
  return length
}

/** Reads a value into the target, after a check that the message has enough bytes. @returns the target */
function read(content: Content, source: Uint8Array, offset: number, target: Uint8Array, field: number): Uint8Array {
  if (offset + content.sizeOf(target.length) > source.length)
    throw new FieldError('must not end after the message', field, offset)
  try {
    content.read(source, offset, target)
    return target
  } catch (error) {
    if (error instanceof FieldError) throw new FieldError(error.problem, field, offset)
    throw error
  }
}

function readBitmap(dialect: Dialect, bytes: Uint8Array, offset: number): Uint8Array {
  const first = read(dialect.bitmap, bytes, offset, new Uint8Array(BITMAP_BYTES), BITMAP)
  const hasSecond = ((first[0] ?? 0) & 0x80) !== 0
  return hasSecond ? read(dialect.bitmap, bytes, offset, new Uint8Array(2 * BITMAP_BYTES), BITMAP) : first
}

/** The bitmap of fields, with a second half if a field is above 64. */
function bitmapOf(fields: readonly EncodedField[]): Uint8Array {
  const bitmap = new Uint8Array(2 * BITMAP_BYTES)
  const set = (number: number): void => {
    const at = (number - 1) >> 3
    bitmap[at] = (bitmap[at] ?? 0) | (0x80 >> ((number - 1) & 7))
  }
  let last = 0
  for (const { number } of fields) {
    set(number)
    last = number
  }
  if (last <= 8 * BITMAP_BYTES) return bitmap.subarray(0, BITMAP_BYTES)
  set(1)
  return bitmap
}

/** The numbers of the fields in a bitmap, from 2. */
function* numbersIn(bitmap: Uint8Array): Generator<number> {
  for (let number = 2; number <= 8 * bitmap.length; number++) {
    if (((bitmap[(number - 1) >> 3] ?? 0) & (0x80 >> ((number - 1) & 7))) !== 0) yield number
  }
}

/** The text of characters in ASCII. */
function textOf(characters: Uint8Array): string {
  let text = ''
  for (let i = 0; i < characters.length; i++) text += String.fromCharCode(characters[i] ?? 0)
  return text
}
