import { type KeyRing, readKeyRing, VaultError } from '@tollgate/vault'
import { ConfigError } from '../config.ts'

/**
 * The ring in a text.
 *
 * @param name where the text comes from
 * @throws ConfigError in one line that names the place, and nothing of the text
 */
export function ringOf(name: string, read: () => string): KeyRing {
  try {
    return readKeyRing(read())
  } catch (error) {
    const isOfText = error instanceof VaultError || (error instanceof Error && 'syscall' in error)
    throw isOfText ? new ConfigError(`${name}: ${error.message}`) : error
  }
}
