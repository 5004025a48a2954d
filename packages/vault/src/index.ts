/**
 * Card and account data at rest. Numbers enter as `Secret`, leave as `Secret`, and in between exist only sealed:
 * AES-256-GCM under a data key of their own, which is itself wrapped by a key of the installation's key ring. The
 * vault keeps nothing: the caller stores the returned records, and dropping the wrapped key shreds the number.
 */
export type { RecordName } from './arguments.ts'
export { compareKeyCheck, dropFromKeyCheck, writeKeyCheck } from './key-check.ts'
export {
  generateKeyRing,
  type KeyRing,
  type KeySetName,
  keySetNames,
  readKeyRing,
  withNewKey,
  withoutKey,
  writeKeyRing,
} from './key-ring.ts'
export type { Random } from './random-pool.ts'
export {
  type Fingerprint,
  type KeyIds,
  type MacPurpose,
  openVault,
  type SealedNumber,
  type SealedRecord,
  type Vault,
} from './vault.ts'
export { openVaultThread, type VaultThreadOptions } from './vault-thread.ts'
export { VaultError, type VaultFault } from './vault-error.ts'
