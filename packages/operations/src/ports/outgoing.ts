/** A request to an address that a merchant gave. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Ends it at once. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The reply to a request. answered: any status, redirects included, because none is followed; `body` is the part that
 * was read, `retryAfterMs` the value of that header; both are bounded. failed: no address, no connection, no TLS, no
 * whole answer in time, or no HTTP; the request may have arrived. refused: the address is one that merchants may not
 * use; nothing was sent. Reasons are for operators, and quote nothing of the other side.
 */
export type OutgoingReply =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly body: string
      readonly retryAfterMs: number | undefined
      readonly durationMs: number
    }
  | { readonly kind: 'failed' | 'refused'; readonly reason: string; readonly durationMs: number }

/** The one way out to addresses that merchants give. */
export interface Outgoing {
  /** Never rejects: every failure is a reply. */
  send(request: OutgoingRequest): Promise<OutgoingReply>
  /**
   * Why a URL will always be refused, as far as that is known without a name server: its scheme, port, credentials, or
   * a literal address; undefined: it is permitted.
   */
  objection(url: string): string | undefined
  /** Ends all requests in flight and all connections at once; later requests fail. */
  close(): Promise<void>
}
