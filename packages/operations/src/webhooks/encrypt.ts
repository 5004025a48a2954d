import { createCipheriv, type KeyObject, randomFillSync } from 'node:crypto'
import { limits } from '../limits.ts'

/** 96 bits, as NIST SP 800-38D recommends. */
const VECTOR_BYTES = 12

/**
 * The number of bytes of the body that `encrypt` returns for a text: two hex digits for each byte of the text, because
 * AES-GCM adds no padding, and the JSON object around them if there is one.
 */
export const encryptedBytesOf = (text: string, wrapper: string): number =>
  2 * Buffer.byteLength(text) + (wrapper === 'json' ? jsonBody('').length : 0)

const jsonBody = (hex: string) => `{"encryptedBody":"${hex}"}`

/**
 * Encrypts a text (AES-256-GCM) for one attempt, under a new random initialisation vector.
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
let usedBytes = pool.length

/**
 * Returns a random initialisation vector. Random bytes are read for many vectors at once: they may stay in memory,
 * because vectors are not secret.
 */
function nextVector(): Buffer {
  if (usedBytes === pool.length) {
    randomFillSync(pool)
    usedBytes = 0
  }
  usedBytes += VECTOR_BYTES
  return pool.subarray(usedBytes - VECTOR_BYTES, usedBytes)
}
