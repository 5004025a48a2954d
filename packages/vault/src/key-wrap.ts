import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto'
import { keyBytes } from './key-ring.ts'

// The key wrap of RFC 3394 rather than GCM, because one wrapping key is used for every record of an installation: key
// wrap has no nonce, so that the number of records is not limited by collisions of random nonces.
const algorithm = 'id-aes256-wrap'
/** The initial value of RFC 3394, 2.2.3.1, by which unwrapping verifies the key. */
const initialValue = Buffer.alloc(8, 0xa6)
/** Bytes of a wrapped key. */
export const wrappedKeyBytes = 40

/** Bytes of a semiblock, the unit of the key wrap, and of a block of AES: two semiblocks. */
const semiblockBytes = 8
const blockBytes = 16
const semiblocksOfKey = keyBytes / semiblockBytes
/** Each semiblock of a key is encrypted six times. */
const steps = 6 * semiblocksOfKey

/** A semiblock is copied as two words of 32 bits: with bytes, a key takes 2.2 µs instead of 1.5. */
const WORDS = 2
const wordsOf = ({ buffer, byteOffset, length }: Uint8Array) => new Uint32Array(buffer, byteOffset, length / 4)

/** Wraps a 32-byte key under another key. Returns 40 bytes. */
export function wrapKey(wrappingKey: KeyObject, key: Uint8Array): Uint8Array {
  const cipher = createCipheriv(algorithm, wrappingKey, initialValue)
  const wrapped = cipher.update(key)
  cipher.final()
  return wrapped
}

/**
 * Returns a function that wraps many concatenated 32-byte keys, with the same result as `wrapKey` for each: 40 bytes a
 * key, concatenated. It takes one step of RFC 3394, 2.2.1, for all keys at once, as one call to AES. OpenSSL's key wrap
 * needs a cipher object for each key and does not use the processor's instructions for AES.
 */
export function openKeyWrapper(wrappingKey: KeyObject): (keys: Uint8Array) => Uint8Array {
  // Each block is encrypted on its own (ECB), because the key wrap itself defines how its blocks are chained.
  const aes = createCipheriv('aes-256-ecb', wrappingKey, null).setAutoPadding(false)
  return (keys) => {
    const count = keys.length / keyBytes
    /** For each key its integrity check value, named A in the standard, and the semiblocks R1 to R4. */
    const wrapped = new Uint8Array(count * wrappedKeyBytes)
    /** For each key A and the semiblock of the step. */
    const blocks = new Uint8Array(count * blockBytes)
    for (let index = 0; index < count; index++) {
      blocks.set(initialValue, index * blockBytes)
      wrapped.set(keys.subarray(index * keyBytes, (index + 1) * keyBytes), index * wrappedKeyBytes + semiblockBytes)
    }
    const [wrappedWords, blockWords] = [wordsOf(wrapped), wordsOf(blocks)]
    for (let step = 1; step <= steps; step++) {
      const semiblock = 1 + ((step - 1) % semiblocksOfKey)
      for (let index = 0; index < count; index++)
        copySemiblock(wrappedWords, index * (semiblocksOfKey + 1) + semiblock, blockWords, 2 * index + 1)
      const encrypted = wordsOf(aes.update(blocks))
      for (let index = 0; index < count; index++) {
        copySemiblock(encrypted, 2 * index, blockWords, 2 * index)
        copySemiblock(encrypted, 2 * index + 1, wrappedWords, index * (semiblocksOfKey + 1) + semiblock)
        // The number of the step is less than 256, so that only the last byte of A changes.
        const lastByte = index * blockBytes + semiblockBytes - 1
        blocks[lastByte] = (blocks[lastByte] ?? 0) ^ step
      }
    }
    for (let index = 0; index < count; index++)
      copySemiblock(blockWords, 2 * index, wrappedWords, index * (semiblocksOfKey + 1))
    return wrapped
  }
}

/** Copies a semiblock; `from` and `to` are numbers of semiblocks. */
function copySemiblock(source: Uint32Array, from: number, target: Uint32Array, to: number): void {
  target[WORDS * to] = source[WORDS * from] ?? 0
  target[WORDS * to + 1] = source[WORDS * from + 1] ?? 0
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
