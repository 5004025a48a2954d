import { Secret } from '@tollgate/contract'
import type { ParameterName } from '@tollgate/contract'

/** A parameter of a form. A secret is copied into the body only. */
export type FormPair = readonly [name: ParameterName, value: string | Secret]

/**
 * Encodes a form as `application/x-www-form-urlencoded`, in UTF-8. The caller erases the bytes, which are in a buffer
 * of their own outside of the heap of JavaScript.
 */
export function encodeForm(pairs: readonly FormPair[]): Uint8Array {
  const parts = pairs.map(partOf)
  let length = Math.max(0, parts.length - 1)
  for (const { text, secret } of parts) length += text.length + (secret ? encodedLength(secret) : 0)
  const body = new Uint8Array(new ArrayBuffer(length))
  let offset = 0
  for (const { text, secret } of parts) {
    if (offset > 0) body[offset++] = AMPERSAND
    offset = writeText(body, offset, text)
    if (secret) offset = writeSecret(body, offset, secret)
  }
  return body
}

/** A pair without its secret value, percent-encoded. */
interface Part {
  readonly text: string
  readonly secret: Secret | undefined
}

const partOf = ([name, value]: FormPair): Part =>
  value instanceof Secret
    ? { text: `${encoded(name)}=`, secret: value }
    : { text: `${encoded(name)}=${encoded(value)}`, secret: undefined }

/** Most texts of a form need no encoding. */
const PLAIN = /^[A-Za-z0-9._-]*$/

/** A text without lone surrogates is encoded faster than by URLSearchParams, which replaces them. */
function encoded(text: string): string {
  if (PLAIN.test(text)) return text
  try {
    return encodeURIComponent(text)
  } catch {
    return new URLSearchParams([[text, '']]).toString().slice(0, -1)
  }
}

const AMPERSAND = 0x26
const PERCENT = 0x25

/** @returns the offset after the text, which is ASCII */
function writeText(body: Uint8Array, offset: number, text: string): number {
  for (let i = 0; i < text.length; i++) body[offset + i] = text.charCodeAt(i)
  return offset + text.length
}

function writeSecret(body: Uint8Array, start: number, secret: Secret): number {
  let offset = start
  secret.use((bytes) => {
    for (const byte of bytes) {
      if (isUnreserved(byte)) {
        body[offset++] = byte
      } else {
        body[offset++] = PERCENT
        body[offset++] = hexDigit(byte >> 4)
        body[offset++] = hexDigit(byte & 0xf)
      }
    }
  })
  return offset
}

const encodedLength = (secret: Secret): number =>
  secret.use((bytes) => bytes.reduce((length, byte) => length + (isUnreserved(byte) ? 1 : 3), 0))

const hexDigit = (nibble: number): number => nibble + (nibble < 10 ? 0x30 : 0x37)

/** Letters, digits, `-`, `.` and `_`. */
const isUnreserved = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  byte === 0x2d ||
  byte === 0x2e ||
  byte === 0x5f
