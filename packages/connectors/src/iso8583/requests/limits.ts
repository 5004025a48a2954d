/** Bounds of the requests to an acquirer. */
export const limits = {
  /** Characters of a field of private data: its length has three digits. */
  privateCharsMax: 999,
  /** Characters of an account in fields 102 and 103. */
  accountCharsMax: 28,
  /** Digits of a card number in field 2. */
  cardDigitsMax: 19,
  /** Digits of the longest PIN (ISO 9564). */
  pinDigitsMax: 12,
  /** Bytes of chip data: as text, field 55 has two characters for each byte and a length of three digits. */
  iccBytesMax: 499,
  /** Characters of the parts of field 43. */
  nameChars: 25,
  cityChars: 13,
  /** Characters of field 104. */
  descriptionCharsMax: 100,
  /** Characters of the street in an address verification: issuers compare its first digits and letters. */
  streetCharsMax: 40,
  /** Characters of a free text in an item of a list, such as a product: networks accept 26 to 40. */
  itemTextCharsMax: 40,
  /** The highest number of a capture: "98 partial captures plus the closing one stay within 99". */
  captureMax: 99,
  /** Drawn references whose message is not sent yet: as many as requests that wait on one link. */
  drawnTracesMax: 2_000,
} as const
