import { randomBytes } from 'node:crypto'
import type { PublicKeyAuthContext } from 'ssh2'
import { signatureAlgorithms } from '../algorithms.ts'
import { fingerprintOf, isSameDigest, parsePublicKey, type PublicKey } from '../public-key.ts'
import type { FindUser, SftpUser } from './users.ts'

/** A user, and the fingerprint of the key with which they authenticate. */
export interface AuthenticatedUser {
  readonly user: SftpUser
  readonly fingerprint: string
}

/** A digest that no key has. */
const noKey = randomBytes(32)

/**
 * Checks a request to authenticate by public key. A client first asks whether a key is accepted, without a signature.
 * Each request takes the same steps, whether or not there is such a user: it compares `publicKeysMax` digests, and
 * verifies the signature with the sent key.
 *
 * @returns the user and their key; undefined if the key is not one of theirs, or the signature is wrong
 */
export async function authenticate(
  request: PublicKeyAuthContext,
  findUser: FindUser,
  publicKeysMax: number,
): Promise<AuthenticatedUser | undefined> {
  const user = await findUser(request.username)
  const key = parsePublicKey(request.key.data)
  if (key === undefined) return undefined
  const isKnown = hasKey(digestsOf(user, publicKeysMax), key.digest)
  const isValid = isAlgorithmOf(key, request) && (request.signature === undefined || verify(key, request))
  return isKnown && isValid && user ? { user, fingerprint: fingerprintOf(key.digest) } : undefined
}

/** The digests of a user's keys, filled up with the digest that no key has. */
function digestsOf(user: SftpUser | undefined, publicKeysMax: number): readonly Buffer[] {
  return Array.from({ length: publicKeysMax }, (_, index) => {
    const text = user?.publicKeys[index]
    return (text === undefined ? undefined : parsePublicKey(text)?.digest) ?? noKey
  })
}

/** Compares all digests, without an early end. */
const hasKey = (digests: readonly Buffer[], digest: Buffer): boolean =>
  digests.filter((known) => isSameDigest(known, digest)).length > 0

/** ssh2 names the algorithm of an RSA key by its type, and gives the hash of SHA-2 apart; without it, it is SHA-1. */
function isAlgorithmOf({ type }: PublicKey, { key, hashAlgo }: PublicKeyAuthContext): boolean {
  const algorithms: readonly string[] = signatureAlgorithms[type]
  const isSha2 = hashAlgo === 'sha256' || hashAlgo === 'sha512'
  return type === 'ssh-rsa' ? isSha2 : algorithms.includes(key.algo)
}

function verify(key: PublicKey, { blob, signature, hashAlgo }: PublicKeyAuthContext): boolean {
  if (blob === undefined || signature === undefined) return false
  try {
    // ssh2 returns an error instead of a boolean if the signature is malformed.
    const result: unknown = key.parsed.verify(blob, signature, hashAlgo)
    return result === true
  } catch {
    return false
  }
}
