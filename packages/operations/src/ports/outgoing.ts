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
 * What came of it. answered: any status, redirects among them, for none is followed; `body` is what was read of it,
 * `retryAfterMs` what the header of that name asks for; both are bounded. failed: no address, no connection, no TLS, no
 * whole answer in time, or one that is no HTTP; the request may have arrived all the same. refused: the address leads
 * to where merchants may not send us; nothing has left. Reasons are for operators, and quote nothing of the other side.
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
  /** Never rejects: whatever the other side does is a reply. */
  send(request: OutgoingRequest): Promise<OutgoingReply>
  /**
   * Why a URL will be refused whenever it is sent to, as far as can be told without a name server: its scheme, port,
   * credentials, or an address in it; undefined: nothing stands against it.
   */
  objection(url: string): string | undefined
  /** Ends at once what is under way, and every connection; what is sent later fails. */
  close(): Promise<void>
}
