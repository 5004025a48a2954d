import {
  type AcquirerAnswer,
  type AcquirerOperation,
  createSimulator,
  type ReversalOutcome,
  type OpenRequest,
  type RemoteConnector,
  type NoAnswer,
} from '@tollgate/connectors'
import type { Random } from '../support/random.ts'
import { type Owner, type Schedule, world } from './schedule.ts'

/** What becomes of messages to an acquirer and back, from 0 to 1. */
export interface AcquirerFaults {
  /** Lost on the way, there or back. */
  loss: number
  /** A request that arrives once more, much later. */
  echoes: number
  /** No connection: nothing leaves, and who asks knows it. */
  down: number
  /** The longest that a message takes. */
  slowestMs: number
}

/** Something that an acquirer has done and not undone. */
interface Entry {
  readonly operation: AcquirerOperation
  readonly amountMinor: number
}

/** An acquirer across a network, whose books are its own. */
export interface SimulatedAcquirer {
  readonly books: ReadonlyMap<string, Entry>
  /** @param owner the requester: after its crash it gets no answer, while the acquirer keeps the outcome */
  readonly link: (owner: Owner) => RemoteConnector
}

/** How long a link waits before it says that it does not know; sometimes longer than anybody waits for it. */
const patiencesMs = [3_000, 10_000, 60_000] as const

/** What an acquirer never undoes: once it has done it, it insists. */
const insistsOn: Readonly<Record<AcquirerOperation, boolean>> = {
  PA: false,
  DB: false,
  CD: false,
  CP: false,
  RV: true,
  RF: true,
}

interface Parts {
  readonly schedule: Schedule
  readonly random: Random
  readonly faults: AcquirerFaults
  readonly note: (line: string) => void
  /** Something that an acquirer must never be asked. */
  readonly defect: (what: string) => void
}

export function createAcquirer({ schedule, random, faults, note, defect }: Parts): SimulatedAcquirer {
  const simulator = createSimulator()
  const books = new Map<string, Entry>()
  /** What has been ended, heard before or not: nothing of it will be done. */
  const ended = new Set<string>()
  const asked = new Map<string, string>()

  /** Does what it is asked, unless it has done so or was told not to. */
  function hear(transactionId: string, operation: AcquirerOperation, answer: AcquirerAnswer): void {
    if (ended.has(transactionId) || answer.status !== 'approved' || books.has(transactionId)) return
    books.set(transactionId, { operation, amountMinor: answer.amountMinor })
    note(`the acquirer does ${operation} ${transactionId}`)
  }

  function end({ transactionId, operation, amountMinor }: OpenRequest): ReversalOutcome {
    note(`the acquirer ends ${operation} ${transactionId}`)
    // A reversal is repeated until it is heard, and then it holds.
    if (operation === 'RV' && !ended.has(transactionId)) books.set(transactionId, { operation, amountMinor })
    const entry = books.get(transactionId)
    if (entry && insistsOn[operation]) {
      const details = { ExtendedDescription: 'It was done.' }
      return {
        kind: 'done',
        answer: { status: 'approved', code: '000.100.110', amountMinor: entry.amountMinor, details },
      }
    }
    ended.add(transactionId)
    books.delete(transactionId)
    return { kind: 'reversed' }
  }

  /** A message and what comes back of it; `lost` where either is. */
  function exchange<T>(owner: Owner, name: string, arrive: () => T, lost: T): Promise<T> {
    const travelMs = () => random.below(faults.slowestMs + 1)
    const isLost = () => random.chance(faults.loss)
    return new Promise((resolve) => {
      schedule.after(random.pick(patiencesMs), owner, '', () => resolve(lost))
      if (isLost()) return
      schedule.after(travelMs(), world, name, () => {
        const said = arrive()
        if (!isLost()) schedule.after(travelMs(), owner, '', () => resolve(said))
      })
      if (random.chance(faults.echoes)) schedule.after(random.below(40_000), world, `${name} once more`, () => arrive())
    })
  }

  const unknown: NoAnswer = { status: 'unknown' }

  return {
    books,
    link: (owner) => ({
      kind: 'remote',
      name: 'simulated',
      async ask(request) {
        const { transactionId, operation, amountMinor } = request
        const question = `${operation} ${amountMinor}`
        if (asked.has(transactionId)) defect(`the acquirer is asked twice about ${transactionId}`)
        asked.set(transactionId, question)
        if (random.chance(faults.down)) return { status: 'notSent', why: 'there is no connection' }
        // Here and now, for what is lent with the question is taken back.
        const answer = simulator.ask(request)
        const arrive = () => {
          hear(transactionId, operation, answer)
          return ended.has(transactionId) ? unknown : answer
        }
        return exchange<AcquirerAnswer | NoAnswer>(owner, `the acquirer is asked ${question}`, arrive, unknown)
      },
      async end(question) {
        if (random.chance(faults.down)) return { kind: 'unknown' }
        return exchange<ReversalOutcome>(owner, '', () => end(question), { kind: 'unknown' })
      },
    }),
  }
}
