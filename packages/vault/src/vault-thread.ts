import { writeSync } from 'node:fs'
import { checkNumber, associatedDataOf } from './arguments.ts'
import type { KeyRing } from './key-ring.ts'
import { openKeyRing, sealingKeysOf } from './open-key-ring.ts'
import { startSealing } from './start-sealing.ts'
import { openVault, sealedNumber, type Vault } from './vault.ts'
import type { VaultError } from './vault-error.ts'

export interface VaultThreadOptions {
  /**
   * Called once when the sealing thread has failed; all pending seals have been rejected. By default one line is
   * written to stderr and the process exits with 70.
   */
  readonly onFatal?: (error: VaultError) => void
}

/**
 * Opens a vault with a copy of a ring. It seals in a separate thread; all other functions run in the caller's thread.
 * The caller's thread also seals while all slots of the separate thread are in use, and if a number is too long for a
 * slot.
 * @throws VaultError ('key ring'), or 'unavailable' if the thread does not start.
 */
export async function openVaultThread(
  ring: KeyRing,
  { onFatal = endProcess }: VaultThreadOptions = {},
): Promise<Vault> {
  const localVault = openVault(ring)
  let keys = sealingKeysOf(openKeyRing(ring))
  const thread = await startSealing(keys, onFatal)
  return {
    ...localVault,
    async seal(number, record) {
      checkNumber(number)
      const associatedData = associatedDataOf(record)
      const keysAtCall = keys
      const sealing = number.use((bytes) => thread.seal(bytes, associatedData))
      return sealing ? sealedNumber(await sealing, keysAtCall) : localVault.seal(number, record)
    },
    changeRing(newRing) {
      localVault.changeRing(newRing)
      keys = sealingKeysOf(openKeyRing(newRing))
      thread.changeKeys(keys)
    },
    async close() {
      await Promise.all([localVault.close(), thread.close()])
    },
  }
}

function endProcess(error: VaultError): void {
  try {
    // The write is synchronous, because the line must be written before the process exits.
    writeSync(2, `the vault failed, the process ends: ${error.message}\n`)
  } finally {
    process.exit(70)
  }
}
