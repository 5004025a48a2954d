import type { Secret } from '@tollgate/contract'
import type { ProtocolVersion } from '@tollgate/three-d-secure'

/** The directory servers of the networks. */
export interface DirectoryServer {
  /**
   * Sends a message (JSON) and waits for its answer.
   *
   * @returns undefined where there is none in time
   */
  send(message: Uint8Array): Promise<Uint8Array | undefined>
}

/** An issuer's part in 3-D Secure, for a card that takes part. */
export interface Participation {
  readonly version: ProtocolVersion
  /** Address of the issuer's 3DS Method, which the browser loads before authentication; undefined: it has none. */
  readonly methodUrl: string | undefined
}

/** The card ranges that take part in 3-D Secure, from the directory server (PReq, PRes). */
export interface CardRanges {
  /** undefined: the card does not take part, or the directory server did not answer. */
  find(number: Secret): Promise<Participation | undefined>
}

/** The issuers of cards, as far as they can be reached. */
export interface Issuers extends DirectoryServer {
  readonly ranges: CardRanges
}
