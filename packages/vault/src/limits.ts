/** Bounds of the vault. */
export const limits = {
  /** Bytes of a sealed number: the wire allows 32 digits for a card, 64 characters for a bank account. */
  numberBytesMax: 64,
  /**
   * Bytes of the associated data: two names of 64 characters, a key id of 32, and what stands between them.
   */
  contextBytesMax: 192,
  /** Numbers that wait for the sealing thread; beyond them the caller's thread seals itself. */
  slots: 128,
  /** Numbers that are handed over at once, before the turn of the event loop is over. */
  batchNumbers: 16,
  /** Keys of a ring that encrypt or only still decrypt; a key retires when its records are sealed anew. */
  encryptionKeysMax: 32,
  /** Characters of a key ring's text: room for every key of a full ring, well below anything worth parsing. */
  keyRingTextMax: 16_384,
  /** Characters of a key-check value. */
  keyCheckTextMax: 4_096,
  /** Random bytes drawn from the operating system at once: about 290 seals. */
  randomPoolBytes: 16_384,
} as const
