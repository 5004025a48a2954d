/** A request to the upstream gateway. */
export interface UpstreamRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** A form. The caller erases it when the reply is there. */
  readonly body?: Uint8Array
}

/**
 * The reply to a request. `status` is 0 if there is no complete answer. `sent`: the upstream may have received the
 * request.
 */
export interface UpstreamReply {
  readonly status: number
  readonly body: string
  readonly sent: boolean
  /** Why there is no answer, in words for an operator. */
  readonly reason?: string
}

/**
 * The transport to the upstream gateway. It follows no redirects, and bounds the duration of a request and the length
 * of its answer.
 */
export interface UpstreamExchange {
  /** Never rejects. */
  send(request: UpstreamRequest): Promise<UpstreamReply>
  /** Sends no further requests, and ends the connections once each request has its reply. */
  close(): Promise<void>
}
