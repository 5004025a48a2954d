import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto'

// The key wrap of RFC 3394 rather than GCM, because one wrapping key is used for every record of an installation: key
// wrap has no nonce, so that the number of records is not limited by collisions of random nonces.
const algorithm = 'id-aes256-wrap'
/** The initial value of RFC 3394, 2.2.3.1, by which unwrapping verifies the key. */
const initialValue = Buffer.alloc(8, 0xa6)
/** Bytes of a wrapped key. */
const wrappedKeyBytes = 40

/** Wraps a 32-byte key under another key. Returns 40 bytes. */
export function wrapKey(wrappingKey: KeyObject, key: Uint8Array): Uint8Array {
  const cipher = createCipheriv(algorithm, wrappingKey, initialValue)
  const wrapped = cipher.update(key)
  cipher.final()
  return wrapped
}

/** The key in a new array, which the caller wipes; undefined if the key was not wrapped under `wrappingKey`. */
export function unwrapKey(wrappingKey: KeyObject, wrapped: Uint8Array): Uint8Array | undefined {
  if (wrapped.length !== wrappedKeyBytes) return undefined
  try {
    return createDecipheriv(algorithm, wrappingKey, initialValue).update(wrapped)
  } catch {
    return undefined
  }
}
