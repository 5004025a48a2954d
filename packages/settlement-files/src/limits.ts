/** Bounds of a settlement file and of its parts. */
export const limits = {
  /** Bytes of a file: two million rows of CSV. */
  fileBytesMax: 1_073_741_824,
  /** Rows and bank entries of a file. */
  rowsMax: 2_000_000,
  /** Bytes that are decoded and parsed at once, however long the chunks of the caller are: a millisecond or two. */
  pieceBytes: 16_384,
  /** Bytes of a chunk that the writers produce, at least. */
  chunkCharsMin: 65_536,

  /** Characters of a line, or of a row of CSV that has line breaks in quotes. The longest columns fill a quarter. */
  lineCharsMax: 8_192,
  /** Cells of a row of CSV. */
  cellsMax: 64,
  /** Totals of a file: one per currency and direction. */
  totalsMax: 400,

  /** Levels of XML elements. camt has eleven at most. */
  xmlDepthMax: 24,
  /** Attributes of an XML element: the root has some declarations of namespaces. */
  xmlAttributesMax: 16,
  /** Characters of a text, a comment, a tag or an attribute of XML. */
  xmlTextCharsMax: 65_536,
  /** Rows of a file that the writer of camt books as one entry. */
  batchRowsMax: 1_000,

  /** The last millisecond of the year 9999, because years have four digits. */
  timeMaxMs: Date.UTC(9999, 11, 31, 23, 59, 59, 999),

  /** Bytes at the start of a file by which its format is detected. */
  detectionBytes: 4_096,
} as const
