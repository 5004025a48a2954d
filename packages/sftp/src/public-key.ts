import { createHash, createPublicKey, timingSafeEqual } from 'node:crypto'
import ssh2, { type ParsedKey } from 'ssh2'
import { type KeyType, keyTypes } from './algorithms.ts'
import { limits } from './limits.ts'

/** A public key of a host or a user. */
export interface PublicKey {
  readonly type: KeyType
  /** SHA-256 of the key's blob. */
  readonly digest: Buffer
  /** The bits of an RSA key. */
  readonly rsaBits?: number
  /** The key as a line of OpenSSH, without a comment. */
  readonly line: string
  readonly parsed: ParsedKey
}

/** A host key that a client accepts. Without a type, keys of all types are compared with the digest. */
export interface PinnedKey {
  readonly type?: KeyType
  readonly digest: Buffer
}

/** Digest of the blob of a key, which identifies it. */
export const digestOf = (blob: Uint8Array): Buffer => createHash('sha256').update(blob).digest()

/** The fingerprint of a key as `ssh-keygen -l` prints it: `SHA256:` and 43 characters of base64. */
export const fingerprintOf = (digest: Buffer): string => `SHA256:${digest.toString('base64').replace('=', '')}`

/**
 * Reads a public key.
 *
 * @param key a line of OpenSSH, such as `ssh-ed25519 AAAA… comment`, or the blob of such a key
 * @returns undefined if it is no public key of `keyTypes`, or an RSA key of fewer than 2048 or more than 8192 bits
 */
export function parsePublicKey(key: string | Buffer): PublicKey | undefined {
  const parsed = parseKey(key)
  if (parsed === undefined || parsed.isPrivateKey()) return undefined
  const type = keyTypes.find((known) => known === parsed.type)
  if (type === undefined) return undefined
  const rsaBits = type === 'ssh-rsa' ? rsaBitsOf(parsed) : undefined
  if (rsaBits !== undefined && (rsaBits < limits.rsaBitsMin || rsaBits > limits.rsaBitsMax)) return undefined
  const blob = parsed.getPublicSSH()
  const line = `${type} ${blob.toString('base64')}`
  return { type, digest: digestOf(blob), line, parsed, ...(rsaBits !== undefined && { rsaBits }) }
}

/** ssh2 returns most errors, and throws a few for lengths that do not fit. */
function parseKey(key: string | Buffer): ParsedKey | undefined {
  try {
    const parsed = ssh2.utils.parseKey(key)
    return parsed instanceof Error ? undefined : parsed
  } catch {
    return undefined
  }
}

/** @returns 0 for a key that cannot be used */
function rsaBitsOf(key: ParsedKey): number {
  try {
    return createPublicKey(key.getPublicPEM()).asymmetricKeyDetails?.modulusLength ?? 0
  } catch {
    return 0
  }
}

const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}=?$/

/**
 * Reads a host key to pin.
 *
 * @param text a fingerprint `SHA256:…`, or a line with the public key
 * @returns undefined if it is neither
 */
export function parsePinnedKey(text: string): PinnedKey | undefined {
  if (FINGERPRINT.test(text)) return { digest: Buffer.from(text.slice('SHA256:'.length), 'base64') }
  const key = parsePublicKey(text)
  return key && { type: key.type, digest: key.digest }
}

/** Whether two digests are equal, in constant time. */
export const isSameDigest = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other)
