import { randomBytes } from 'node:crypto'
import { generateKeyRing, type KeySetName, VaultError, withNewKey, writeKeyRing } from '@tollgate/vault'
import { ConfigError } from '../config.ts'
import { ringOf } from './ring-of.ts'

/** The text of a new key ring: as secret as its keys. */
export function generateKeys(): string {
  return writeKeyRing(generateKeyRing(randomBytes))
}

/**
 * The text of a key ring with one more key, which becomes the current one of its purpose.
 *
 * @param name the name of the file that contains the key ring, for messages
 * @param read returns the present text
 * @throws ConfigError of one line with the name and nothing of the text
 */
export function addKey(name: string, read: () => string, purpose: KeySetName): string {
  const ring = ringOf(name, read)
  try {
    return writeKeyRing(withNewKey(ring, purpose, randomBytes))
  } catch (error) {
    throw error instanceof VaultError ? new ConfigError(`${name}: ${error.message}`) : error
  }
}
