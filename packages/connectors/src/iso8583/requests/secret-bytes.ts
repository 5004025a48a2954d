import type { Secret } from '@tollgate/contract'
import { bytesOf } from '@tollgate/iso8583'

/** A copy of a secret, or of its part from `start` to `end`, which the caller erases. */
export const copyOf = (secret: Secret, start = 0, end = secret.length): Uint8Array =>
  secret.use((bytes) => {
    const part = bytes.subarray(start, end)
    const copy = bytesOf(part.length)
    copy.set(part)
    return copy
  })

/** Whether all characters of a secret are digits. */
export const hasDigitsOnly = (secret: Secret): boolean =>
  secret.use((bytes) => bytes.every((code) => code >= 0x30 && code <= 0x39))

/** Whether all characters of a secret are printable ASCII. */
export const isPrintable = (secret: Secret): boolean =>
  secret.use((bytes) => bytes.every((code) => code >= 0x20 && code <= 0x7e))

/** The bytes that hexadecimal digits denote, which the caller erases; undefined for any other text. */
export const hexBytesOf = (secret: Secret): Uint8Array | undefined =>
  secret.use((digits) => {
    if (digits.length % 2 !== 0 || !digits.every(isHexDigit)) return undefined
    const bytes = bytesOf(digits.length / 2)
    for (let i = 0; i < bytes.length; i++) bytes[i] = 16 * nibbleOf(digits[2 * i]) + nibbleOf(digits[2 * i + 1])
    return bytes
  })

/** In lower case, the letters a to f are from 0x61 to 0x66. */
const LOWER = 0x20

const isHexDigit = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || ((code | LOWER) >= 0x61 && (code | LOWER) <= 0x66)

const nibbleOf = (code = 0): number => (code <= 0x39 ? code - 0x30 : (code | LOWER) - 0x57)
