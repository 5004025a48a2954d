import { type KeyRing, readKeyRing, VaultError } from '@tollgate/vault'
import { ConfigError } from '../config.ts'

/**
 * The ring in a text.
 *
 * @param name of the text's place
 * @throws ConfigError in one line that names the place, and nothing of the text
 */
export function ringOf(name: string, read: () => string): KeyRing {
  try {
    return readKeyRing(read())
  } catch (error) {
    if (error instanceof VaultError) throw new ConfigError(`${name}: ${error.message}`)
    if (!(error instanceof Error && 'syscall' in error)) throw error
    const remedy = 'code' in error && error.code === 'EACCES' ? '; the user that runs Tollgate must own it' : ''
    throw new ConfigError(`${name}: ${error.message}${remedy}`)
  }
}
