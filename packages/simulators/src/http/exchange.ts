/** A request as handlers see it: without a socket, so that tests need none. */
export interface SimulatorRequest {
  readonly method: string
  /** As in the request line, without its query. */
  readonly path: string
  /** Without its question mark. */
  readonly query: string
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/** What a handler answers. */
export interface SimulatorResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** Whoever answers requests. Whatever a request holds is answered; only a defect rejects. */
export type Handle = (request: SimulatorRequest) => Promise<SimulatorResponse>

/** Somebody whom gateways, merchants or shoppers talk to. */
export interface Simulator {
  readonly handle: Handle
  /** Does what is due by the clock. It never rejects. */
  advance(): Promise<void>
}

/** What a simulator gets. */
export interface SimulatorWorld {
  /** Where all of them are reached, without a slash at its end. */
  readonly url: string
  readonly clock: Clock
  readonly random: Random
}

/** The one source of time, in epoch milliseconds. */
export interface Clock {
  now(): number
}

/** Draws bytes that nobody can guess. */
export type Random = (bytes: number) => Uint8Array
