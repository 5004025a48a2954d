import { randomBytes } from 'node:crypto'
import { generateKeyRing, type KeySetName, VaultError, withNewKey, writeKeyRing } from '@tollgate/vault'
import { ConfigError } from '../config.ts'
import { ringOf } from './ring-of.ts'

/** The text of a new key ring: as secret as the keys that stand in it. */
export function generateKeys(): string {
  return writeKeyRing(generateKeyRing(randomBytes))
}

/**
 * The text of a key ring with one key more, which is the current one of its purpose.
 *
 * @param name where the text comes from, for the message
 * @param read gives the text of the ring so far
 * @throws ConfigError in one line that names the place, and nothing of the text
 */
export function addKey(name: string, read: () => string, purpose: KeySetName): string {
  const ring = ringOf(name, read)
  try {
    return writeKeyRing(withNewKey(ring, purpose, randomBytes))
  } catch (error) {
    throw error instanceof VaultError ? new ConfigError(`${name}: ${error.message}`) : error
  }
}
