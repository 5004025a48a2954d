/** Bounds of the client and the server. Times are in milliseconds. Callers can replace some of them. */
export const limits = {
  /** Bytes of an SFTP packet without its length: the least that both sides must accept is 34,000 (draft 02). */
  packetBytesMax: 34_000,
  /** Bytes of the data of one READ or WRITE: the drafts guarantee 32,768. */
  blockBytes: 32_768,
  /** Bytes of a path, and of a name in it. */
  pathBytesMax: 1_024,
  nameBytesMax: 255,
  /** Extended attributes and extensions in one packet. */
  extensionsMax: 32,
  /** Bits of an RSA key. */
  rsaBitsMin: 2_048,
  rsaBitsMax: 8_192,
} as const

/** Bounds of a client, for one connection. */
export const clientLimits = {
  /** Time from the connection to the end of the authentication. */
  handshakeMs: 20_000,
  /** Time for one answer of the server. */
  answerMs: 30_000,
  /** Requests of one transfer that wait for answers: 512 KiB on the way. */
  requestsMax: 16,
  /** Entries of a folder that `list` returns. */
  entriesMax: 10_000,
  /** Bytes of an interrupted upload that are all compared before it is resumed; of a longer one, the last block is. */
  comparedBytesMax: 4_194_304,
}
export type ClientLimits = Readonly<typeof clientLimits>

/** Bounds of a server. */
export const serverLimits = {
  connectionsMax: 100,
  connectionsPerAddressMax: 10,
  connectionsPerUserMax: 10,
  /** Connections of an address that end without authentication, in a window; then its connections are rejected. */
  failuresPerAddressMax: 30,
  failuresWindowMs: 60_000,
  /** Addresses whose failures are counted; the oldest are forgotten. */
  failingAddressesMax: 10_000,
  /** Time from the connection to the end of the authentication. */
  authenticationMs: 20_000,
  /** Authentication requests of a connection. The first ones of a client list the methods and offer its keys. */
  authenticationsMax: 8,
  /** Public keys of a user; further ones are ignored. */
  publicKeysMax: 16,
  /** Time without a completed request. */
  idleMs: 300_000,
  /** Open files and folders of a session. */
  handlesMax: 16,
  /** Entries in one answer to READDIR: with the longest names they fit a packet. */
  entriesPerPacket: 40,
  /** Data of a session in each direction. */
  bytesPerSecondMax: 20_000_000,
  /** Bytes of a connection that its client has not read; a block and the answers to refused requests fit. */
  unsentBytesMax: 1_048_576,
  /** Sessions of a connection, one at a time. A refused shell counts. */
  sessionsMax: 10,
  /** Key exchanges of a connection, and the time after which it may have one more: clients repeat them after 1 GiB. */
  keyExchangesMax: 10,
  keyExchangeMs: 30_000,
  /** Time for which a session may be ahead of its rate. */
  burstMs: 250,
  /** Bytes of the name of a user. */
  userNameBytesMax: 128,
}
export type ServerLimits = Readonly<typeof serverLimits>

/** Bounds of a tree over a folder. */
export const treeLimits = {
  /** Entries of a folder that are skipped in a row because they are links or special files. */
  skippedMax: 100_000,
} as const
