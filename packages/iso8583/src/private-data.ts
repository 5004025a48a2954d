import { bytesOf, codeAt, type Value } from './content.ts'
import { FieldError } from './field-error.ts'
import { isOfKind } from './kinds.ts'
import { limits } from './limits.ts'

const TAG_CHARS = 2
const LENGTH_DIGITS = 3
const HEAD_CHARS = TAG_CHARS + LENGTH_DIGITS
const LONGEST = 10 ** LENGTH_DIGITS - 1

/**
 * Encodes elements as the content of field 48: a tag of two characters, a length of three digits, the value.
 *
 * @param elements values by tag; secret values are bytes
 * @returns bytes that may contain secrets: the caller erases them after use
 * @throws FieldError names the field, not the value
 */
export function encodePrivateData(elements: ReadonlyMap<string, Value>): Uint8Array {
  if (elements.size > limits.elementsMax) throw privateError(`must have at most ${limits.elementsMax} elements`)
  let size = 0
  for (const [tag, value] of elements) {
    if (tag.length !== TAG_CHARS || !isOfKind('an', tag)) throw privateError('must have tags of two characters')
    if (value.length > LONGEST) throw privateError(`must have elements of at most ${LONGEST} characters`)
    if (!isOfKind('ans', value)) throw privateError('must have printable characters of ASCII')
    size += HEAD_CHARS + value.length
  }
  // All elements were checked before this allocation, so that no error leaves a secret in it: the caller could not
  // erase it.
  const bytes = bytesOf(size)
  let offset = 0
  for (const [tag, value] of elements) {
    const head = `${tag}${String(value.length).padStart(LENGTH_DIGITS, '0')}`
    offset = write(bytes, write(bytes, offset, head), value)
  }
  return bytes
}

/**
 * Decodes the content of field 48.
 *
 * @returns values by tag, as parts of `bytes`; of a repeated tag the first
 * @throws FieldError names the field and the offset in it
 */
export function decodePrivateData(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const elements = new Map<string, Uint8Array>()
  let offset = 0
  while (offset < bytes.length) {
    const start = offset + HEAD_CHARS
    const head = String.fromCharCode(...bytes.subarray(offset, start))
    if (!/^[0-9A-Za-z]{2}[0-9]{3}$/.test(head)) throw privateError('must have a tag and a length of 3 digits', offset)
    const end = start + Number(head.slice(TAG_CHARS))
    if (end > bytes.length) throw privateError('must not end within an element', offset)
    const tag = head.slice(0, TAG_CHARS)
    if (!elements.has(tag)) elements.set(tag, bytes.subarray(start, end))
    offset = end
  }
  return elements
}

const privateError = (problem: string, offset?: number): FieldError => new FieldError(problem, 48, offset)

/** @returns the offset after the value */
function write(target: Uint8Array, offset: number, value: Value): number {
  for (let i = 0; i < value.length; i++) target[offset + i] = codeAt(value, i)
  return offset + value.length
}
