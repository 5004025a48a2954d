/** Bounds of the vault. */
export const limits = {
  /**
   * Bytes of a sealed number. The longest number in a request, that of a gift card, has 255 characters of up to 4 bytes
   * in UTF-8.
   */
  numberBytesMax: 1_020,
  /**
   * Bytes of a number that is passed to the sealing thread: a card number has up to 32 digits, a bank account up to 64
   * characters. The few longer numbers are sealed by the caller's thread, so that slots are small.
   */
  slotNumberBytesMax: 64,
  /** Bytes of the associated data: an id and a merchant of 64 characters each, the prefix and the separator. */
  associatedDataBytesMax: 160,
  /** Numbers that can wait for the sealing thread; further numbers are sealed by the caller's thread. */
  slots: 128,
  /**
   * Numbers in one message to the sealing thread. A full batch is sent immediately, a smaller one when the turn of the
   * event loop ends.
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
  /** Random bytes requested from the operating system at once: sufficient for about 370 seals. */
  randomPoolBytes: 16_384,
} as const
