import type { MessageType } from './messages/message-type.ts'

/** Bounds of messages and of their parts. */
export const limits = {
  /**
   * By type. The longest parts of most messages are the extensions (81,920 characters); an authentication request may
   * also have two fields with data of an app's device (64,000 characters each).
   */
  messageBytesMax: {
    PReq: 131_072,
    /** Card ranges of a whole network: about 200 bytes for each of some 40,000. */
    PRes: 8_388_608,
    AReq: 262_144,
    ARes: 262_144,
    CReq: 131_072,
    /** An app's challenge may be a page of 100,000 characters. */
    CRes: 262_144,
    RReq: 131_072,
    RRes: 131_072,
    Erro: 16_384,
  } satisfies Readonly<Record<MessageType, number>>,
  /** Levels of objects and lists: an extension's data are nested at most a few levels below the message. */
  jsonDepthMax: 16,
  /** Card ranges in one answer; a network has tens of thousands. */
  cardRangesMax: 40_000,
  /** Length of `errorDetail` in an error message. */
  errorDetailCharsMax: 2_048,
  /** A form field of a browser: a challenge request with extensions, a third longer in base64url. */
  encodedCharsMax: 200_000,
  /** Method data are two short fields, in base64url. */
  methodDataCharsMax: 4_096,
} as const
