/** Bounds of what one request may hold. */
export const limits = {
  /** A cart may have 1000 items; this leaves 20 parameters for each of them. */
  pairsMax: 20_000,
  /** The longest known name with every character percent-encoded. */
  nameBytesMax: 256,
  /** Characters of a wrong value that an error repeats. */
  errorValueMax: 1_024,
} as const
