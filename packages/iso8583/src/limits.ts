/** Bounds of messages and of their parts. */
export const limits = {
  /** The highest number of a field. No acquirer uses the third bitmap of the 1993 edition. */
  fieldMax: 128,
  /** Characters of a field: the largest number of three digits. */
  fieldCharsMax: 999,
  /** Bytes of a frame without its header: the largest number of a header of four digits. */
  frameBytesMax: 9_999,
  /** Bytes of the buffer from which short values are cut, and of the longest value that is no part of it. */
  slabBytes: 16_384,
  slabPartBytesMax: 1_024,
  /** Elements in one field of BER-TLV or private data: a field of 999 bytes has fewer. */
  elementsMax: 200,
  /** Bytes of a tag: EMV defines tags of one to three bytes. */
  tagBytesMax: 3,

  /** Time for a connection to open, and for the host to answer a network request. */
  connectMs: 5_000,
  networkAnswerMs: 10_000,
  /** Time for the answer to a request (T1): issuers answer within 10 s, after which the host may stand in for them. */
  answerMs: 20_000,
  /** Idle time after which an echo is sent; hosts end a connection after 2 minutes without traffic. */
  echoMs: 60_000,
  /** Age at which a connection without answers counts as stable. */
  stableMs: 15_000,
  /** Waits before a connection is opened again: after a stable one, then after each further one that was not stable. */
  reconnectWaitsMs: [100, 1_000, 2_000, 5_000, 10_000, 30_000],
  /** Requests of one link that wait for an answer: 500 a second if the host takes 4 s; more are not sent. */
  waitingMax: 2_000,
  /** Bytes of one link that wait to be sent: some 3,000 requests. */
  unsentBytesMax: 1_048_576,
} as const
