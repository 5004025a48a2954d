import type { FastifyInstance } from 'fastify'

/** A simulated party that gateways, merchants or shoppers talk to. */
export interface Simulator {
  /** Adds its routes to a server. */
  register(server: FastifyInstance): void
  /** Does what is due by the clock. It never rejects. */
  advance(): Promise<void>
}

/** Dependencies of a simulator. */
export interface SimulatorEnvironment {
  /** Address of the server, without a slash at its end; known once it listens. */
  readonly url: string
  readonly clock: Clock
  readonly random: Random
}

/** The one source of time, in epoch milliseconds. */
export interface Clock {
  now(): number
}

/** Draws unguessable bytes. */
export type Random = (bytes: number) => Uint8Array
