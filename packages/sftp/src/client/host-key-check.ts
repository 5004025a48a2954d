import { type KeyType, keyTypes, signatureAlgorithms } from '../algorithms.ts'
import { digestOf, fingerprintOf, isSameDigest, parsePinnedKey, type PinnedKey } from '../public-key.ts'
import { SftpFailure } from './sftp-error.ts'

/** The check of a server's key against the pinned ones. */
export interface HostKeyCheck {
  /** The algorithms to offer: if all pinned keys have a type, only those of these types. */
  readonly algorithms: readonly (typeof signatureAlgorithms)[KeyType][number][]
  /** @param blob the key of the server. @returns the failure; undefined if the key is a pinned one */
  readonly check: (blob: Buffer) => SftpFailure | undefined
}

/** Reads the pinned keys. @throws SftpFailure if there is none, or one of them is neither a fingerprint nor a key */
export function createHostKeyCheck(hostKeys: readonly string[]): HostKeyCheck {
  const pins = hostKeys.map(parsePin)
  if (pins.length === 0) throw new SftpFailure('invalid', 'No host key is pinned.')
  const types = pins.some(({ type }) => type === undefined)
    ? keyTypes
    : keyTypes.filter((type) => pins.some((pin) => pin.type === type))
  return {
    algorithms: types.flatMap((type) => [...signatureAlgorithms[type]]),
    check(blob) {
      const digest = digestOf(blob)
      if (pins.some((pin) => isSameDigest(pin.digest, digest))) return undefined
      const fingerprint = fingerprintOf(digest)
      return new SftpFailure('hostKey', `The host key is not pinned: ${fingerprint}. No credentials were sent.`)
    },
  }
}

function parsePin(text: string): PinnedKey {
  const pin = parsePinnedKey(text)
  if (pin === undefined)
    throw new SftpFailure('invalid', 'A pinned host key is neither a fingerprint SHA256:… nor a public key.')
  return pin
}
