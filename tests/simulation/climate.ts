import type { Random } from '../support/random.ts'
import type { AcquirerFaults } from './acquirer.ts'
import type { DiskFaults } from './disk.ts'
import type { Mood } from './endpoints.ts'

/** The configuration of a simulation, drawn from its seed; some have no crashes, so that these hide no defect. */
export interface Climate {
  readonly isShared: boolean
  readonly wishes: number
  readonly shops: number
  readonly faults: DiskFaults
  readonly moods: readonly Mood[]
  /** undefined: the acquirer simulator in the process. */
  readonly acquirer: AcquirerFaults | undefined
  /** How many messages the network loses. */
  loss: number
  /** How often instances crash at any time, and just after a unit was written. */
  readonly crashes: number
  crashAfterWrite: number
  readonly jumps: number
}

/** The configuration without failures, but those of endpoints. */
export function calm(climate: Climate): void {
  climate.loss = 0
  climate.crashAfterWrite = 0
  Object.assign(climate.faults, { refusals: 0, doubts: 0, failedReads: 0 })
  if (climate.acquirer) Object.assign(climate.acquirer, { loss: 0, echoes: 0, down: 0, slowestMs: 50 })
}

/** Draws a configuration. */
export function climateOf({ chance, pick, below }: Random): Climate {
  return {
    isShared: chance(0.7),
    wishes: 12 + below(20),
    shops: 2 + below(4),
    faults: {
      refusals: pick([0, 0, 0.02, 0.1]),
      doubts: pick([0, 0, 0.02]),
      failedReads: pick([0, 0, 0.01]),
      slowestMs: pick([2, 20, 100]),
    },
    moods: [0, 1, 2].map(() => pick(['well', 'well', 'slow', 'failing', 'overloaded', 'forgetful', 'dead', 'gone'])),
    acquirer: chance(0.6)
      ? {
          loss: pick([0, 0.03, 0.1, 0.3]),
          echoes: pick([0, 0.05]),
          down: pick([0, 0, 0.2]),
          slowestMs: pick([5, 5, 300, 2_000, 40_000]),
        }
      : undefined,
    loss: pick([0, 0, 0.05, 0.2]),
    crashes: pick([0, 0, 1, 3]),
    crashAfterWrite: pick([0, 0, 0.02]),
    jumps: pick([0, 1, 4]),
  }
}
