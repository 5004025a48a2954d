import { createCipheriv, type KeyObject, randomFillSync } from 'node:crypto'
import { limits } from '../limits.ts'

/** 96 bits, as NIST SP 800-38D recommends. */
const VECTOR_BYTES = 12

/**
 * The length of the body of an encrypted text: the ciphertext has as many bytes as the text, and two digits for each.
 */
export const encryptedBytesOf = (text: string, wrapper: string): number =>
  2 * Buffer.byteLength(text) + (wrapper === 'json' ? jsonBody('').length : 0)

const jsonBody = (hex: string) => `{"encryptedBody":"${hex}"}`

/**
 * Encrypts a text (AES-256-GCM) for one attempt, under an initialisation vector that is never used again.
 *
 * @param key 32 bytes
 * @param wrapper text: the body is hex digits. json: the hex digits are a member of an object
 * @returns the body, and the headers that its decryption needs
 */
export function encrypt(key: KeyObject, text: string, wrapper: string) {
  const vector = nextVector()
  const cipher = createCipheriv('aes-256-gcm', key, vector)
  const hex = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('hex')
  return {
    body: wrapper === 'json' ? jsonBody(hex) : hex,
    headers: {
      'content-type': wrapper === 'json' ? 'application/json' : 'text/plain',
      'x-initialization-vector': vector.toString('hex'),
      'x-authentication-tag': cipher.getAuthTag().toString('hex'),
    },
  }
}

const pool = Buffer.alloc(limits.initialisationVectorsPerRead * VECTOR_BYTES)
let used = pool.length

/** Initialisation vectors are not secret and never repeated. Random bytes are read for many vectors at once. */
function nextVector(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += VECTOR_BYTES
  return pool.subarray(used - VECTOR_BYTES, used)
}
