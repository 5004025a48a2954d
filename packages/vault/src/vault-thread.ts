import { writeSync } from 'node:fs'
import { checkNumber, contextOf } from './arguments.ts'
import type { KeyRing } from './key-ring.ts'
import { openKeyRing, sealingKeysOf } from './open-key-ring.ts'
import { startSealing } from './start-sealing.ts'
import { openVault, sealedNumber, type Vault } from './vault.ts'
import type { VaultError } from './vault-error.ts'

export interface VaultThreadOptions {
  /**
   * Called once when the sealing thread has failed; all waiting seals have been rejected. By default one line goes
   * to stderr and the process ends with code 70.
   */
  readonly onFatal?: (error: VaultError) => void
}

/**
 * Opens a vault over a copied ring. It seals in a thread of its own; everything else runs at once. While all slots of
 * the thread are taken, the caller's thread seals too, and also if a number is too long for a slot.
 * @throws VaultError ('key ring'), or 'unavailable' when the thread does not start.
 */
export async function openVaultThread(
  ring: KeyRing,
  { onFatal = endProcess }: VaultThreadOptions = {},
): Promise<Vault> {
  const here = openVault(ring)
  let keys = sealingKeysOf(openKeyRing(ring))
  const thread = await startSealing(keys, onFatal)
  return {
    ...here,
    async seal(number, record) {
      checkNumber(number)
      const context = contextOf(record)
      const keysOfThis = keys
      const sealing = number.use((bytes) => thread.seal(bytes, context))
      return sealing ? sealedNumber(await sealing, keysOfThis) : here.seal(number, record)
    },
    changeRing(changed) {
      here.changeRing(changed)
      keys = sealingKeysOf(openKeyRing(changed))
      thread.changeKeys(keys)
    },
    async close() {
      await Promise.all([here.close(), thread.close()])
    },
  }
}

function endProcess(error: VaultError): void {
  try {
    // Synchronous: the line must be written before the process ends.
    writeSync(2, `the vault failed, the process ends: ${error.message}\n`)
  } finally {
    process.exit(70)
  }
}
