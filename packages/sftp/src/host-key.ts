import ssh2, { type ParsedKey } from 'ssh2'
import { parsePublicKey, type PublicKey } from './public-key.ts'

/**
 * Reads a private host key. RSA is refused: ssh2 would offer it with SHA-1 also.
 *
 * @throws Error without the key, if it cannot be read or has another type
 */
export function parseHostKey(text: string): ParsedKey {
  const key = parseKey(text)
  if (key === undefined) throw new Error('a host key is no private key that can be read')
  if (key.type !== 'ssh-ed25519' && !key.type.startsWith('ecdsa-'))
    throw new Error(`a host key has the type ${key.type}: use ssh-ed25519 or ECDSA`)
  return key
}

function parseKey(text: string): ParsedKey | undefined {
  const key = ssh2.utils.parseKey(text)
  return key instanceof Error || !key.isPrivateKey() ? undefined : key
}

/**
 * The public part of a private host key, by which clients recognise the server.
 *
 * @throws Error without the key, if it cannot be read or has another type
 */
export function publicHostKey(text: string): PublicKey {
  const key = parsePublicKey(parseHostKey(text).getPublicSSH())
  if (key === undefined) throw new Error('a host key has a type that is not supported')
  return key
}
