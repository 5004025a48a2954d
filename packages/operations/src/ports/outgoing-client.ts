/** A request to an address from a merchant, or to a provider. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Bytes are sent without a copy: the caller may erase them after the reply. */
  readonly body?: string | Uint8Array
  /** Ends the request at once. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The reply to a request. answered: with any status, also of redirects, which are not followed; `body` is its bounded
 * beginning, and `retryAfterMs` the bounded value of the Retry-After header. failed: the name was not resolved, or the
 * connection, TLS or HTTP failed, or the answer was not complete in time; if `sent`, the request may have arrived.
 * refused: the address is not permitted, and nothing was sent. Reasons are for operators, and contain no text of the
 * receiver.
 */
export type OutgoingReply =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly body: string
      readonly retryAfterMs: number | undefined
      readonly durationMs: number
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly sent: boolean; readonly durationMs: number }
  | { readonly kind: 'refused'; readonly reason: string; readonly durationMs: number }

/** The only client for addresses from merchants. */
export interface OutgoingClient {
  /** Never rejects: every failure is a reply. */
  send(request: OutgoingRequest): Promise<OutgoingReply>
  /**
   * The reason why a URL is always refused, without a DNS query: its scheme, port, credentials or literal address;
   * undefined: these are permitted.
   */
  refusalReason(url: string): string | undefined
  /** Ends all requests in flight and all connections at once; later requests fail. */
  close(): Promise<void>
}
