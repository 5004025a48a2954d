import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto'

/** Bytes of a nonce: 96 bits, the only length that GCM does not hash first (NIST SP 800-38D, 5.2.1.1). */
export const nonceBytes = 12
const tagBytes = 16

/** Bytes that `encrypt` adds to a plaintext. */
export const overheadBytes = nonceBytes + tagBytes

const algorithm = 'aes-256-gcm'
const options = { authTagLength: tagBytes }

/**
 * Encrypts with AES-256-GCM. Writes `nonce | ciphertext | tag` into `out` from `start`.
 *
 * @param key 32 bytes
 * @param nonce 12 bytes that were never used before with this key
 * @param associatedData ASCII text, which `decrypt` requires again
 * @param out an array with `plaintext.length + overheadBytes` bytes from `start`
 */
export function encrypt(
  key: KeyObject | Uint8Array,
  nonce: Uint8Array,
  associatedData: Uint8Array,
  plaintext: Uint8Array,
  out: Uint8Array,
  start: number,
): void {
  const cipher = createCipheriv(algorithm, key, nonce, options)
  cipher.setAAD(associatedData)
  const ciphertext = cipher.update(plaintext)
  cipher.final()
  out.set(nonce, start)
  out.set(ciphertext, start + nonceBytes)
  out.set(cipher.getAuthTag(), start + nonceBytes + ciphertext.length)
}

/**
 * Decrypts the output of `encrypt`: `nonce | ciphertext | tag`. Returns the plaintext in a new array, which the
 * caller wipes, or undefined if the key or the associated data differ, or the input was changed.
 */
export function decrypt(
  key: KeyObject | Uint8Array,
  associatedData: Uint8Array,
  input: Uint8Array,
): Uint8Array | undefined {
  if (input.length < overheadBytes) return undefined
  const decipher = createDecipheriv(algorithm, key, input.subarray(0, nonceBytes), options)
  decipher.setAAD(associatedData)
  decipher.setAuthTag(input.subarray(input.length - tagBytes))
  const plaintext = decipher.update(input.subarray(nonceBytes, input.length - tagBytes))
  try {
    decipher.final()
    return plaintext
  } catch {
    // GCM returns plaintext before it verifies the tag; unverified bytes are erased.
    plaintext.fill(0)
    return undefined
  }
}
