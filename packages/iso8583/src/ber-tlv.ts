import { bytesOf } from './content.ts'
import { FieldError } from './field-error.ts'
import { limits } from './limits.ts'

/** A data element of a chip, by its tag in hexadecimal digits: `9F26`. A constructed element is not taken apart. */
export interface IccElement {
  readonly tag: string
  readonly value: Uint8Array
}

/**
 * Decodes the content of field 55 (BER-TLV, EMV Book 3 Annex B).
 *
 * @returns elements whose values are parts of `bytes`, in their order
 * @throws FieldError without a value
 */
export function decodeIccData(bytes: Uint8Array): readonly IccElement[] {
  const elements: IccElement[] = []
  let offset = 0
  while (offset < bytes.length) {
    // EMV permits zeros between elements.
    if (bytes[offset] === 0) {
      offset += 1
      continue
    }
    if (elements.length >= limits.elementsMax)
      throw iccError(`must have at most ${limits.elementsMax} elements`, offset)
    const tagEnd = endOfTag(bytes, offset)
    const { length, start } = readLength(bytes, tagEnd)
    if (start + length > bytes.length) throw iccError('must not end within an element', offset)
    elements.push({ tag: hexOf(bytes.subarray(offset, tagEnd)), value: bytes.subarray(start, start + length) })
    offset = start + length
  }
  return elements
}

/**
 * Encodes elements as the content of field 55.
 *
 * @throws FieldError if a tag is not one to three bytes in hexadecimal digits
 */
export function encodeIccData(elements: readonly IccElement[]): Uint8Array {
  if (elements.length > limits.elementsMax) throw iccError(`must have at most ${limits.elementsMax} elements`)
  const heads = elements.map(({ tag, value }) => [...tagBytes(tag), ...lengthBytes(value.length)])
  const size = elements.reduce((sum, { value }, index) => sum + (heads[index]?.length ?? 0) + value.length, 0)
  const bytes = bytesOf(size)
  let offset = 0
  for (const [index, { value }] of elements.entries()) {
    const head = heads[index] ?? []
    bytes.set(head, offset)
    bytes.set(value, offset + head.length)
    offset += head.length + value.length
  }
  return bytes
}

const iccError = (problem: string, offset?: number): FieldError => new FieldError(problem, 55, offset)

/** In the first byte of a tag these bits announce further bytes; in a further byte the highest bit does. */
const LONG_TAG = 0x1f
const MORE = 0x80

/** The offset after a tag. */
function endOfTag(bytes: Uint8Array, offset: number): number {
  if (((bytes[offset] ?? 0) & LONG_TAG) !== LONG_TAG) return offset + 1
  for (let end = offset + 2; end <= offset + limits.tagBytesMax && end <= bytes.length; end++)
    if (((bytes[end - 1] ?? 0) & MORE) === 0) return end
  throw iccError(`must have tags of at most ${limits.tagBytesMax} bytes`, offset)
}

/** A length of one byte up to 127, or of one or two bytes after their number. */
function readLength(bytes: Uint8Array, offset: number): { readonly length: number; readonly start: number } {
  const first = bytes[offset]
  if (first === undefined) throw iccError('must not end within an element', offset)
  if (first < MORE) return { length: first, start: offset + 1 }
  const count = first & ~MORE
  if (count < 1 || count > 2 || offset + count >= bytes.length)
    throw iccError('must have lengths of at most two bytes', offset)
  let length = 0
  for (let i = 1; i <= count; i++) length = 256 * length + (bytes[offset + i] ?? 0)
  return { length, start: offset + 1 + count }
}

function lengthBytes(length: number): readonly number[] {
  if (length < MORE) return [length]
  if (length > 0xffff) throw iccError('must have elements of at most 65,535 bytes')
  return length < 256 ? [MORE + 1, length] : [MORE + 2, length >> 8, length & 255]
}

function tagBytes(tag: string): Uint8Array {
  const bytes = /^(?:[0-9A-F]{2}){1,3}$/.test(tag) ? Uint8Array.from(Buffer.from(tag, 'hex')) : new Uint8Array()
  if (bytes.length === 0 || bytes[0] === 0 || endOfTag(bytes, 0) !== bytes.length)
    throw iccError('must have tags of one to three bytes in hexadecimal digits')
  return bytes
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()
