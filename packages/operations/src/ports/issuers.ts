import type { Secret } from '@tollgate/contract'
import type { ProtocolVersion } from '@tollgate/three-d-secure'

/** The directory servers of the card networks. */
export interface DirectoryServer {
  /**
   * Sends a message (JSON) and waits for its answer.
   *
   * @returns undefined after a timeout
   */
  send(message: Uint8Array): Promise<Uint8Array | undefined>
}

/** The 3-D Secure data of an enrolled card. */
export interface Participation {
  readonly version: ProtocolVersion
  /** URL of the issuer's 3DS Method, which the browser loads before the authentication; undefined: none. */
  readonly methodUrl: string | undefined
}

/** The card ranges of 3-D Secure, from the directory server (PReq, PRes). */
export interface CardRanges {
  /** @returns undefined: the card is not enrolled, or the directory server did not answer */
  find(number: Secret): Promise<Participation | undefined>
}

/** Access to card issuers through the directory servers. */
export interface Issuers extends DirectoryServer {
  readonly ranges: CardRanges
}
