import type { FastifyInstance } from 'fastify'

/** A simulated party to which gateways, merchants or shoppers send requests. */
export interface Simulator {
  /** Adds its routes to a server. */
  register(server: FastifyInstance): void
  /** Does the tasks that are due by the clock. It never rejects. */
  advance(): Promise<void>
}

/** Dependencies of a simulator. */
export interface SimulatorEnvironment {
  /** Address of the server, without a slash at its end; set once the server listens. */
  readonly url: string
  readonly clock: Clock
  readonly random: Random
}

/** The only source of time, in epoch milliseconds. */
export interface Clock {
  now(): number
}

/** Draws unguessable bytes. */
export type Random = (bytes: number) => Uint8Array
