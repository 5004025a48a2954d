import { createHash, timingSafeEqual } from 'node:crypto'
import type { TLSSocket } from 'node:tls'

/**
 * Whether the server of a connection has the pinned key.
 *
 * @param pinnedKey SHA-256 of the public key (SubjectPublicKeyInfo, DER) in base64
 */
export function hasKey(socket: TLSSocket, pinnedKey: string): boolean {
  const key = socket.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'der' })
  const expected = Buffer.from(pinnedKey, 'base64')
  const digest = key && createHash('sha256').update(key).digest()
  return digest !== undefined && digest.length === expected.length && timingSafeEqual(digest, expected)
}
