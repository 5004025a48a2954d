/** Bounds of messages and of their parts. */
export const limits = {
  /** The highest number of a field. No acquirer uses the third bitmap of the 1993 edition. */
  fieldMax: 128,
  /** Bytes of a frame without its header: the largest number of a header of four digits. */
  frameBytesMax: 9_999,
  /** Elements in one field of BER-TLV or private data: a field of 999 bytes has fewer. */
  elementsMax: 200,
  /** Bytes of a tag: EMV defines tags of one to three bytes. */
  tagBytesMax: 3,
} as const
