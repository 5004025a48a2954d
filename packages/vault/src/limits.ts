/** Bounds of the vault. */
export const limits = {
  /** Bytes of a sealed number: the wire's longest, a gift card's, has 255 characters of up to four bytes in UTF-8. */
  numberBytesMax: 1_020,
  /**
   * Bytes of a number that goes to the sealing thread: cards and bank accounts, 32 digits and 64 characters on the
   * wire. The few that are longer are sealed by the caller's thread, so that every slot stays small.
   */
  slotNumberBytesMax: 64,
  /** Bytes of the associated data: two names of 64 characters, prefix and separator. */
  contextBytesMax: 160,
  /** Numbers that wait for the sealing thread; the caller's thread seals further ones. */
  slots: 128,
  /** Numbers that are handed over at once, before the turn of the event loop is over. */
  batchNumbers: 16,
  /** Keys of a ring that wrap or only still unwrap; a key retires when no record is under it any more. */
  encryptionKeysMax: 32,
  /** The key of today and the one before: a number is looked up by a fingerprint under each. */
  fingerprintKeysMax: 2,
  /** Characters of a key ring's text: room for every key of a full ring, well below anything worth parsing. */
  keyRingTextMax: 16_384,
  /** Characters of a key-check value. */
  keyCheckTextMax: 4_096,
  /** Random bytes drawn from the operating system at once: about 290 seals. */
  randomPoolBytes: 16_384,
} as const
