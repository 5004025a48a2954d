import { createCipheriv, randomBytes } from 'node:crypto'
import type { Secret } from '@tollgate/contract'

/** A body, and the headers by which it is read. */
export interface Encrypted {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Encrypts a text (AES-256-GCM) under an initialisation vector that is never used again, for one attempt.
 *
 * @param key 32 bytes
 * @param wrapper text: the body is hex digits. json: they are a member of an object
 */
export function encrypt(key: Secret, text: string, wrapper: string): Encrypted {
  const vector = randomBytes(12)
  const cipher = key.use((bytes) => createCipheriv('aes-256-gcm', bytes, vector))
  const hex = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('hex')
  return {
    body: wrapper === 'json' ? `{"encryptedBody":"${hex}"}` : hex,
    headers: {
      'content-type': wrapper === 'json' ? 'application/json' : 'text/plain',
      'x-initialization-vector': vector.toString('hex'),
      'x-authentication-tag': cipher.getAuthTag().toString('hex'),
    },
  }
}
