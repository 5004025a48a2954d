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

/** How often messages to an acquirer and back fail, from 0 to 1. */
export interface AcquirerFaults {
  /** The request or its answer is lost. */
  loss: number
  /** A request arrives once more, much later. */
  echoes: number
  /** There is no connection: no request is sent, and the sender knows it. */
  down: number
  /** The longest time that a message takes. */
  slowestMs: number
}

/** A transaction that an acquirer has made and not reversed. */
interface Entry {
  readonly operation: AcquirerOperation
  readonly amountMinor: number
}

/** An acquirer across a network, with books of its own. */
export interface SimulatedAcquirer {
  readonly books: ReadonlyMap<string, Entry>
  /** @param owner the requester: after its crash it gets no answer, while the acquirer keeps the outcome */
  readonly link: (owner: Owner) => RemoteConnector
}

/** The timeout of the link; sometimes longer than the gateway waits for it. */
const patiencesMs = [3_000, 10_000, 60_000] as const

/** Operations that an acquirer never reverses. */
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
  /** A request that an acquirer must never get. */
  readonly defect: (what: string) => void
}

export function createAcquirer({ schedule, random, faults, note, defect }: Parts): SimulatedAcquirer {
  const simulator = createSimulator()
  const books = new Map<string, Entry>()
  /** Transactions that were reversed, whether or not their requests arrived: these have no effect any more. */
  const ended = new Set<string>()
  const requested = new Map<string, string>()

  /** Makes the transaction, unless it was made or reversed before. */
  function record(transactionId: string, operation: AcquirerOperation, answer: AcquirerAnswer): void {
    if (ended.has(transactionId) || answer.status !== 'approved' || books.has(transactionId)) return
    books.set(transactionId, { operation, amountMinor: answer.amountMinor })
    note(`the acquirer does ${operation} ${transactionId}`)
  }

  function end({ transactionId, operation, amountMinor }: OpenRequest): ReversalOutcome {
    note(`the acquirer ends ${operation} ${transactionId}`)
    // A reversal is repeated until it arrives, and then it is final.
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

  /** A message and its answer; `lost` where either is. */
  function exchange<T>(owner: Owner, name: string, arrive: () => T, lost: T): Promise<T> {
    const transferMs = () => random.below(faults.slowestMs + 1)
    const isLost = () => random.chance(faults.loss)
    return new Promise((resolve) => {
      schedule.after(random.pick(patiencesMs), owner, '', () => resolve(lost))
      if (isLost()) return
      schedule.after(transferMs(), world, name, () => {
        const answer = arrive()
        if (!isLost()) schedule.after(transferMs(), owner, '', () => resolve(answer))
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
      async send(request) {
        const { transactionId, operation, amountMinor } = request
        const question = `${operation} ${amountMinor}`
        if (requested.has(transactionId)) defect(`the acquirer got two requests for ${transactionId}`)
        requested.set(transactionId, question)
        if (random.chance(faults.down)) return { status: 'notSent', reason: 'there is no connection' }
        // At once, because the secrets of the request are wiped after the call.
        const answer = simulator.send(request)
        const arrive = () => {
          record(transactionId, operation, answer)
          return ended.has(transactionId) ? unknown : answer
        }
        return exchange<AcquirerAnswer | NoAnswer>(owner, `request to the acquirer: ${question}`, arrive, unknown)
      },
      async reverse(question) {
        if (random.chance(faults.down)) return { kind: 'unknown' }
        return exchange<ReversalOutcome>(owner, '', () => end(question), { kind: 'unknown' })
      },
    }),
  }
}
