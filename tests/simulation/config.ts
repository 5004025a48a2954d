import type { Random } from '../support/random.ts'
import type { AcquirerFaults } from './acquirer.ts'
import type { DiskFaults } from './disk.ts'
import type { EndpointState } from './endpoints.ts'
import { drawHostFaults, type HostFaults, stopHostFaults } from './hosts/faults.ts'

/** The hosts of acquirers in a simulation. */
export interface HostsConfig {
  /** external: one host, by the built-in connector; routes: two hosts, to whose connectors a route leads. */
  readonly kind: 'external' | 'routes'
  /** The order of the targets of the route. */
  readonly order: 'listed' | 'weight' | 'cost'
  /** The number of terminal ids of each stored connector. */
  readonly terminals: number
  readonly faults: HostFaults
  /** The number of crashes of hosts. */
  readonly crashes: number
}

/** The configuration of a simulation. Some configurations have no crashes, because crashes can hide defects. */
export interface SimulationConfig {
  /** Whether two instances share the storage; otherwise there is one instance. */
  readonly isShared: boolean
  /** The number of requests of all shops together. */
  readonly requests: number
  /** The number of concurrent shops. */
  readonly shops: number
  /** The maximum pause of a shop between two requests. */
  readonly pauseMs: number
  readonly faults: DiskFaults
  readonly endpointStates: readonly EndpointState[]
  /** undefined, also `hosts`: each instance has an acquirer simulator in its process. */
  readonly acquirer: AcquirerFaults | undefined
  /** The hosts to which most payments are sent, as by `testMode=EXTERNAL`. */
  readonly hosts: HostsConfig | undefined
  /** The probability that a message between a shop and an instance is lost. */
  loss: number
  /** The number of crashes of instances at random times. */
  readonly crashes: number
  /** The probability of a crash after a written unit. */
  crashAfterWrite: number
  /** The number of jumps of the clocks. */
  readonly jumps: number
}

/**
 * Sets the probabilities of lost messages, of crashes after a written unit, and of faults of the disk and the acquirer
 * to 0, and lets the acquirer answer within 50 ms. Endpoints keep their states.
 */
export function stopFaults(config: SimulationConfig): void {
  config.loss = 0
  config.crashAfterWrite = 0
  Object.assign(config.faults, { refusals: 0, unknownOutcomes: 0, failedReads: 0 })
  if (config.acquirer) Object.assign(config.acquirer, { loss: 0, duplicates: 0, failedConnections: 0, slowestMs: 50 })
  if (config.hosts) stopHostFaults(config.hosts.faults)
}

/** Draws a configuration. */
export function drawConfig(random: Random): SimulationConfig {
  const { chance, pick, below } = random
  const acquirer = pick(['simulator', 'remote', 'external', 'routes'] as const)
  const isExternal = acquirer === 'external' || acquirer === 'routes'
  return {
    isShared: chance(0.7),
    requests: isExternal ? 15 + below(35) : 12 + below(20),
    shops: 2 + below(4),
    // Links to hosts open again in the course of seconds.
    pauseMs: isExternal ? pick([900, 4_000]) : 900,
    faults: {
      refusals: pick([0, 0, 0.02, 0.1]),
      unknownOutcomes: pick([0, 0, 0.02]),
      failedReads: pick([0, 0, 0.01]),
      slowestMs: pick([2, 20, 100]),
    },
    endpointStates: [0, 1, 2].map(() =>
      pick(['healthy', 'healthy', 'slow', 'failing', 'overloaded', 'unacknowledging', 'unresponsive', 'gone']),
    ),
    acquirer: acquirer === 'remote' ? drawAcquirerFaults(random) : undefined,
    hosts: isExternal ? drawHosts(random, acquirer) : undefined,
    loss: pick([0, 0, 0.05, 0.2]),
    crashes: pick([0, 0, 1, 3]),
    crashAfterWrite: pick([0, 0, 0.02]),
    jumps: pick([0, 1, 4]),
  }
}

const drawAcquirerFaults = ({ pick }: Random): AcquirerFaults => ({
  loss: pick([0, 0.03, 0.1, 0.3]),
  duplicates: pick([0, 0.05]),
  failedConnections: pick([0, 0, 0.2]),
  slowestMs: pick([5, 5, 300, 2_000, 40_000]),
})

const drawHosts = (random: Random, kind: HostsConfig['kind']): HostsConfig => ({
  kind,
  order: random.pick(['listed', 'weight', 'cost']),
  terminals: random.pick([2, 3, 10]),
  faults: drawHostFaults(random),
  crashes: random.pick([0, 0, 1, 3]),
})
