import { FieldError } from './field-error.ts'
import type { Kind } from './field.ts'
import { limits } from './limits.ts'

/** A value of a field: a text, or bytes. The bytes of a secret field of text are its characters in ASCII. */
export type Value = string | Uint8Array

/** One encoding of contents. Lengths are in characters; of bytes (kind b) in bytes. */
export interface Content {
  /** The bytes that a value of this length takes. */
  readonly sizeOf: (length: number) => number
  /** Writes a value, whose characters are valid, at an offset. */
  readonly write: (target: Uint8Array, offset: number, value: Value) => void
  /**
   * Reads a value of a length, by default the target's, to the start of the target, as characters in ASCII or bytes.
   * The source has at least `sizeOf` bytes.
   *
   * @throws FieldError if the bytes encode no characters; characters of the wrong kind are not an error here
   */
  readonly read: (source: Uint8Array, offset: number, target: Uint8Array, length?: number) => void
}

/** The character at a place, as its code in ASCII. */
export const codeAt = (value: Value, index: number): number =>
  typeof value === 'string' ? value.charCodeAt(index) : (value[index] ?? 0)

/** The buffer from which short values are cut, one after the other, and its used bytes. No part is used twice. */
let slab = new ArrayBuffer(limits.slabBytes)
let slabUsed = 0

/**
 * Zeros outside of the heap of JavaScript, which its garbage collector never copies, so that erasing them leaves no
 * copy. Short values are parts of a shared buffer, because the allocation of a buffer takes longer than the encoding of
 * a field. A structured clone of a value would copy the whole buffer.
 */
export function bytesOf(length: number): Uint8Array {
  if (length > limits.slabPartBytesMax) return new Uint8Array(new ArrayBuffer(length))
  if (slabUsed + length > limits.slabBytes) {
    slab = new ArrayBuffer(limits.slabBytes)
    slabUsed = 0
  }
  const bytes = new Uint8Array(slab, slabUsed, length)
  slabUsed += length
  return bytes
}

/** One byte for each character, or the bytes as they are. */
export const plain: Content = {
  sizeOf: (length) => length,
  write(target, offset, value) {
    const { length } = value
    if (typeof value === 'string') for (let i = 0; i < length; i++) target[offset + i] = value.charCodeAt(i)
    else for (let i = 0; i < length; i++) target[offset + i] = value[i] ?? 0
  },
  read(source, offset, target, length = target.length) {
    for (let i = 0; i < length; i++) target[i] = source[offset + i] ?? 0
  },
}

/** Bytes as two hexadecimal digits each. */
export const hexText: Content = {
  sizeOf: (length) => 2 * length,
  write(target, offset, value) {
    for (let i = 0; i < value.length; i++) {
      const byte = codeAt(value, i)
      target[offset + 2 * i] = hexDigits.charCodeAt(byte >> 4)
      target[offset + 2 * i + 1] = hexDigits.charCodeAt(byte & 15)
    }
  },
  read(source, offset, target, length = target.length) {
    for (let i = 0; i < length; i++) {
      const at = offset + 2 * i
      target[i] = 16 * hexDigit(source[at]) + hexDigit(source[at + 1])
    }
  },
}

const hexDigits = '0123456789ABCDEF'

function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code & ~0x20
  if (letter >= 0x41 && letter <= 0x46) return letter - 0x37
  throw new FieldError('must be hexadecimal digits')
}

/** The padding of an odd number of digits. */
type Padding = 'left' | 'right'

/**
 * Two digits in each byte (BCD); an odd number of digits is padded by 0. The separator `=` of track data is the
 * nibble D.
 */
const packed = (padding: Padding): Content => ({
  sizeOf: (length) => Math.ceil(length / 2),
  write(target, offset, value) {
    const { length } = value
    const first = padding === 'left' ? length % 2 : 0
    target.fill(0, offset, offset + Math.ceil(length / 2))
    for (let i = 0; i < length; i++) {
      const place = first + i
      const nibble = codeAt(value, i) === EQUALS ? SEPARATOR : codeAt(value, i) & 15
      const at = offset + (place >> 1)
      target[at] = (target[at] ?? 0) | (place % 2 === 0 ? nibble << 4 : nibble)
    }
  },
  read(source, offset, target, length = target.length) {
    const first = padding === 'left' ? length % 2 : 0
    for (let i = 0; i < length; i++) target[i] = characterOf(nibbleAt(source, offset, first + i))
    const unused = padding === 'left' ? 0 : length
    if (length % 2 === 1 && nibbleAt(source, offset, unused) !== 0) throw new FieldError('must be padded with 0')
  },
})

const EQUALS = 0x3d
const SEPARATOR = 0xd

const nibbleAt = (source: Uint8Array, offset: number, place: number): number => {
  const byte = source[offset + (place >> 1)] ?? 0
  return place % 2 === 0 ? byte >> 4 : byte & 15
}

/** The character of a nibble. A, B, C, E and F are no digits; they become characters of no kind. */
const characterOf = (nibble: number): number => (nibble < 10 ? 0x30 + nibble : nibble === SEPARATOR ? EQUALS : 0)

/** C or D in one byte, and digits in BCD. */
const signedPacked: Content = {
  sizeOf: (length) => 1 + digitsOfFixed.sizeOf(length - 1),
  write(target, offset, value) {
    target[offset] = codeAt(value, 0)
    digitsOfFixed.write(target, offset + 1, typeof value === 'string' ? value.slice(1) : value.subarray(1))
  },
  read(source, offset, target, length = target.length) {
    target[0] = source[offset] ?? 0
    digitsOfFixed.read(source, offset + 1, target.subarray(1), length - 1)
  },
}

const digitsOfFixed = packed('left')
const digitsOfVariable = packed('right')

/** The contents of a dialect by kind; fields of variable length may be encoded in another way. */
export interface Contents {
  readonly fixed: Readonly<Record<Kind, Content>>
  readonly variable: Readonly<Record<Kind, Content>>
}

const texts = { n: plain, an: plain, ans: plain, ns: plain, xn: plain, z: plain, b: hexText }

/** Every value as text. */
export const textContents: Contents = { fixed: texts, variable: texts }

const packedTexts = { ...texts, n: digitsOfFixed, xn: signedPacked, z: digitsOfFixed, b: plain }

/** Digits and track data in BCD, bytes as they are. */
export const packedContents: Contents = {
  fixed: packedTexts,
  variable: { ...packedTexts, n: digitsOfVariable, z: digitsOfVariable },
}
