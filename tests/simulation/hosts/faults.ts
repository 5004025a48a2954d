import { type ActiveFaults, type FaultSwitch, type KnobName, knobs } from '@tollgate/simulators/testing'
import type { Random } from '../../support/random.ts'

/** The probabilities, from 0 to 1, of faults of a host and of its network, and the maximum transfer time. */
export interface HostFaults {
  /** The probability of each fault for a message. */
  readonly knobs: Record<KnobName, number>
  /** A connection cannot be opened. */
  failedConnections: number
  /** A request is answered without the issuer. */
  unreachableIssuers: number
  /** The maximum transfer time of a message. */
  slowestMs: number
}

/** Possible values of faults that have one. Times are shorter and longer than the waits of a link and of a payment. */
const values: Readonly<Partial<Record<KnobName, readonly number[]>>> = {
  latencyMs: [50, 3_000, 22_000, 40_000],
  lateMs: [50, 3_000, 22_000, 40_000],
  garble: [1, 3],
  splitBytes: [1, 7],
}

/** Network messages have no amount. A wrong amount in the answers to repeats is a fault that waits for an operator. */
const firstTransmissions: ReadonlySet<string> = new Set(['0100', '0200', '0220', '0400', '0420'])

const knobNames = Object.keys(knobs).filter(isKnobName)

function isKnobName(name: string): name is KnobName {
  return Object.hasOwn(knobs, name)
}

/** Draws the faults of each message. */
export const drawnFaults = (random: Random, { knobs: probabilities }: HostFaults): FaultSwitch => ({
  list: () => [],
  replace: () => undefined,
  take(type): ActiveFaults {
    const drawn = knobNames.filter((name) => random.chance(probabilities[name]))
    const active = drawn.filter((name) => name !== 'wrongAmount' || firstTransmissions.has(type))
    return new Map(
      active.map((name) => [name, { value: random.pick(values[name] ?? [0]), seed: 1 + random.below(1_000) }]),
    )
  },
})

/** Draws the probabilities of all faults: most are 0 in a simulation, so that others are seen alone. */
export function drawHostFaults({ pick }: Random): HostFaults {
  const knobProbabilities = Object.fromEntries(knobNames.map((name) => [name, pick([0, 0, 0, 0, 0.03, 0.1])]))
  return {
    knobs: { ...noHostFaults().knobs, ...knobProbabilities },
    failedConnections: pick([0, 0, 0.3]),
    unreachableIssuers: pick([0, 0.1, 0.3]),
    slowestMs: pick([2, 20, 400]),
  }
}

/** No faults, and messages that arrive within 50 ms. */
export const noHostFaults = (): HostFaults => ({
  knobs: {
    dropRequest: 0,
    halfOpen: 0,
    latencyMs: 0,
    wrongTrace: 0,
    wrongAmount: 0,
    close: 0,
    dropResponse: 0,
    afterReversal: 0,
    lateMs: 0,
    garble: 0,
    splitBytes: 0,
    duplicateResponse: 0,
  },
  failedConnections: 0,
  unreachableIssuers: 0,
  slowestMs: 50,
})

/** Sets all probabilities to 0, and lets messages arrive within 50 ms. */
export function stopHostFaults(faults: HostFaults): void {
  const { knobs: none, ...rest } = noHostFaults()
  Object.assign(faults.knobs, none)
  Object.assign(faults, rest)
}
