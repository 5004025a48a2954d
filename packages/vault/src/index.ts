/**
 * Encryption of card numbers, account numbers and webhook keys at rest, which are called numbers here, and of the
 * credentials of connectors. All are passed in and out as `Secret`. Documents are encrypted likewise. Each is encrypted
 * with AES-256-GCM under its own data key, which is wrapped by a key of the installation's key ring. The vault has no
 * storage: the caller stores the returned records, and deleting the wrapped key makes the number unreadable.
 */
export type { RecordIdentity } from './arguments.ts'
export { compareKeyCheck, dropFromKeyCheck, writeKeyCheck } from './key-check.ts'
export {
  generateKeyRing,
  type KeyRing,
  type KeySetName,
  keySetNames,
  type Random,
  readKeyRing,
  withNewKey,
  withoutKey,
  writeKeyRing,
} from './key-ring.ts'
export type { SealedNumber, SealedRecord } from './sealer.ts'
export { type Fingerprint, type KeyIds, type MacPurpose, openVault, type Vault } from './vault.ts'
export { VaultError, type VaultFault } from './vault-error.ts'
