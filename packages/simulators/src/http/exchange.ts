/** A request as handlers see it: without a socket, so that tests need none. */
export interface SimulatorRequest {
  readonly method: string
  /** As in the request line, with its query. */
  readonly path: string
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** UTF-8, as it came. */
  readonly body: string
}

/** What a handler answers. */
export interface SimulatorResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Whoever answers requests. Whatever a request holds is answered; only a defect rejects. */
export type Handle = (request: SimulatorRequest) => Promise<SimulatorResponse>

/** The one source of time, in epoch milliseconds. */
export interface Clock {
  now(): number
}

/** Draws bytes that nobody can guess. */
export type Random = (bytes: number) => Uint8Array
