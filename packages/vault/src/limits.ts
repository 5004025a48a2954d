/** Bounds of the vault. */
export const limits = {
  /**
   * Bytes of a sealed number. The longest number in a request, that of a gift card, has 255 characters of up to 4 bytes
   * in UTF-8.
   */
  numberBytesMax: 1_020,
  /** Bytes of sealed credentials: a certificate with its chain, and a key. */
  credentialsBytesMax: 32 * 1024,
  /** Bytes of a sealed document: a scan of some pages. */
  documentBytesMax: 10 * 1024 * 1024,
  /**
   * Numbers that are sealed together. A full batch is sealed immediately, a smaller one in the next microtask. A bound
   * of 64 took more processor time per payment.
   */
  batchNumbers: 16,
  /** Encryption keys of a ring, current and previous; a key can be retired once no record is encrypted under it. */
  encryptionKeysMax: 32,
  /** Fingerprint keys, current and previous: a look-up computes a fingerprint under each key. */
  fingerprintKeysMax: 2,
  /** Characters of a key ring's text: sufficient for the maximum number of keys. */
  keyRingTextMax: 16_384,
  /** Characters of a key-check value. */
  keyCheckTextMax: 4_096,
  /** Data keys that are made and wrapped at once, which takes about 0.1 ms. */
  dataKeysInPool: 64,
} as const
