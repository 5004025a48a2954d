import type { PreparedRequest } from './workload.ts'

/** One round of load. Every request has a number of its own; the prepared requests are sent in a cycle. */
export interface Round {
  /** The server's address on 127.0.0.1, without a path. */
  readonly url: string
  readonly requests: readonly PreparedRequest[]
  readonly connections: number
  readonly seconds: number
}

/** The figures of a load tool. */
export interface LoadFigures {
  readonly answers: number
  /** Answers that are not 2xx, connections that failed and requests that timed out, by their kind. */
  readonly failures: Readonly<Record<string, number>>
  readonly seconds: number
  readonly meanMs: number
  readonly p50Ms: number
  readonly p99Ms: number
}
