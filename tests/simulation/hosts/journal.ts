import {
  applyEntry,
  createHostState,
  type HostJournal,
  type HostState,
  type JournalEntry,
} from '@tollgate/simulators/testing'
import type { Random } from '../../support/random.ts'
import type { Owner, Schedule } from '../schedule.ts'

/** The journal of a host on a disk that survives the crashes of its process. */
export interface SimulatedJournal {
  /** Opens the journal for a process. */
  readonly open: (owner: Owner) => HostJournal
  /** Ends the open journal: the entries that were being written are on the disk, or lost. */
  readonly crash: () => void
  /** The state of the entries on the disk. */
  readonly replay: () => HostState
}

/** The maximum time of a write. */
const WRITE_MS_MAX = 20

export function createJournal(schedule: Schedule, random: Random): SimulatedJournal {
  /** The entries as JSON, as in a file. */
  const lines: string[] = []
  let waiting: string[] = []

  return {
    open(owner) {
      let write: Promise<void> | undefined
      const flush = (): Promise<void> =>
        (write ??= new Promise((resolve) => {
          schedule.after(random.below(WRITE_MS_MAX), owner, '', () => {
            lines.push(...waiting)
            waiting = []
            write = undefined
            resolve()
          })
        }))
      return {
        append(entry) {
          waiting.push(JSON.stringify(entry))
          return flush()
        },
        flush,
        isFull: () => false,
        close: async () => undefined,
      }
    },
    crash() {
      lines.push(...waiting.slice(0, random.below(waiting.length + 1)))
      waiting = []
    },
    replay() {
      const state = createHostState()
      for (const line of lines) {
        const entry: JournalEntry = JSON.parse(line)
        applyEntry(state, entry)
      }
      return state
    },
  }
}
