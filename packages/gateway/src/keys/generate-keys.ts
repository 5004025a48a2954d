import { randomBytes } from 'node:crypto'
import { generateKeyRing, type KeySetName, VaultError, withNewKey, writeKeyRing } from '@tollgate/vault'
import { ConfigError } from '../config.ts'
import { parseRing } from './parse-ring.ts'

/** Generates a key ring, and returns its text, which is as secret as the keys in it. */
export function generateKeys(): string {
  return writeKeyRing(generateKeyRing(randomBytes))
}

/**
 * Adds a key to a key ring. The new key becomes the current key of its purpose.
 *
 * @param name the name of the file that contains the key ring, for messages
 * @param read returns the present text
 * @returns the new text
 * @throws ConfigError of one line with the name and nothing of the text
 */
export function addKey(name: string, read: () => string, purpose: KeySetName): string {
  const ring = parseRing(name, read)
  try {
    return writeKeyRing(withNewKey(ring, purpose, randomBytes))
  } catch (error) {
    throw error instanceof VaultError ? new ConfigError(`${name}: ${error.message}`) : error
  }
}
