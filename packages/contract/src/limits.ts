/** Bounds of the contents of one request, and of the documents that describe it. */
export const limits = {
  /** "Index n starts at 0, maximum 1000 items" (contract, Cart items); the bound applies to all lists. */
  itemsMax: 1_000,
  /** Parameters of a form: 20 for each of the 1000 items that a cart may have. */
  pairsMax: 20_000,
  /**
   * Bytes of a name as sent; a longer name is unknown. `risk.parameters` with a key of 64 characters has 819 if every
   * character is percent-encoded and every character of the key has four bytes.
   */
  nameBytesMax: 1_024,
  /** Characters of a wrong value that an error repeats. */
  errorValueMax: 1_024,
  /** Characters of text without bounds in the contract ("text"): the usual bound of its text fields. */
  textCharsMax: 255,
  /** Characters of one field of a cron expression: 60 listed seconds take 169. */
  cronFieldCharsMax: 256,
  /** Digits of a card number (ISO/IEC 7812-1: 8 to 19); no card in use has fewer than 12. */
  cardNumberDigitsMin: 12,
  cardNumberDigitsMax: 19,
  /** Ids in the column MatchedTransactions of a reconciliation record. */
  matchedTransactionsMax: 100,
  /** Days of one report: a year and a month. */
  reportDaysMax: 400,
  /** Levels of nested schemas in a document. Real documents have about twelve; more means a circular reference. */
  schemaDepthMax: 32,
} as const
