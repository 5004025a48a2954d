import { type KeyRing, readKeyRing, VaultError } from '@tollgate/vault'
import { ConfigError } from '../config.ts'

/**
 * Reads and parses the text of a key ring.
 *
 * @param name the name of the file or program that the text is from
 * @throws ConfigError of one line with the name and no text of the ring
 */
export function parseRing(name: string, read: () => string): KeyRing {
  try {
    return readKeyRing(read())
  } catch (error) {
    if (error instanceof VaultError) throw new ConfigError(`${name}: ${error.message}`)
    if (!(error instanceof Error && 'syscall' in error)) throw error
    const remedy = 'code' in error && error.code === 'EACCES' ? '; the user that runs Tollgate must own it' : ''
    throw new ConfigError(`${name}: ${error.message}${remedy}`)
  }
}
