/** Bounds of the contents of one request, and of the documents that describe it. */
export const limits = {
  /** "Index n starts at 0, maximum 1000 items" (contract, Cart items); other lists keep to it. */
  itemsMax: 1_000,
  /** A cart may have 1000 items; this leaves 20 parameters for each of them. */
  pairsMax: 20_000,
  /** The longest known name with every character percent-encoded. */
  nameBytesMax: 256,
  /** Characters of a wrong value that an error repeats. */
  errorValueMax: 1_024,
  /** Text without other bounds ("text" in the contract) still has one: that of its usual fields. */
  textCharsMax: 255,
  /** Characters of one field of a cron expression: 60 listed seconds take 169. */
  cronFieldCharsMax: 256,
  /** Digits of a card number (ISO/IEC 7812-1: 8 to 19); shorter ones are those of no card in use. */
  cardNumberDigitsMin: 12,
  cardNumberDigitsMax: 19,
  /** Levels of schemas in a document. They nest a dozen; deeper is a circle. */
  schemaDepthMax: 32,
} as const
