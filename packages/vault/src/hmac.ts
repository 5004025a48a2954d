import { createHmac, type KeyObject } from 'node:crypto'

/** HMAC-SHA-256 of `data`, a string as UTF-8: 32 bytes. */
export function hmac(key: KeyObject, data: Uint8Array | string): Uint8Array {
  return createHmac('sha256', key).update(data).digest()
}
