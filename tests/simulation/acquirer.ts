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
import { type Owner, permanentOwner, type Schedule } from './schedule.ts'

/** The probabilities, from 0 to 1, of faults of messages to an acquirer and back, and their maximum transfer time. */
export interface AcquirerFaults {
  /** The request or its answer is lost. */
  loss: number
  /** A request arrives a second time, much later. */
  duplicates: number
  /** The connection fails, so the request is not sent. */
  failedConnections: number
  /** The maximum transfer time of a message. */
  slowestMs: number
}

/** A transaction that an acquirer has made and not reversed. */
interface Entry {
  readonly operation: AcquirerOperation
  readonly amountMinor: number
}

/** An acquirer across a network, with its own books. */
export interface SimulatedAcquirer {
  readonly books: ReadonlyMap<string, Entry>
  /** @param owner the sending instance; after its crash it gets no answer, but the acquirer keeps the outcome */
  readonly connector: (owner: Owner) => RemoteConnector
}

/** Possible timeouts of the connector; the longest is longer than the gateway's own. */
const timeoutsMs = [3_000, 10_000, 60_000] as const

/** Whether the acquirer keeps an operation that it has made, and answers its timeout reversal with the outcome. */
const keepsOutcome: Readonly<Record<AcquirerOperation, boolean>> = {
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
  /** Reports a request that an acquirer must never get. */
  readonly reportDefect: (description: string) => void
}

export function createAcquirer({ schedule, random, faults, note, reportDefect }: Parts): SimulatedAcquirer {
  const simulator = createSimulator()
  const books = new Map<string, Entry>()
  /** Ids of reversed transactions; their requests have no effect, even if they arrive later. */
  const reversed = new Set<string>()
  const requested = new Set<string>()

  /** Makes an approved transaction, unless it was made or reversed before. */
  function record(transactionId: string, operation: AcquirerOperation, answer: AcquirerAnswer): void {
    if (reversed.has(transactionId) || answer.status !== 'approved' || books.has(transactionId)) return
    books.set(transactionId, { operation, amountMinor: answer.amountMinor })
    note(`the acquirer makes ${operation} ${transactionId}`)
  }

  function applyReversal({ transactionId, operation, amountMinor }: OpenRequest): ReversalOutcome {
    note(`the acquirer gets a timeout reversal of ${operation} ${transactionId}`)
    // The gateway repeats the timeout reversal of an RV until it arrives; the acquirer then makes the RV.
    if (operation === 'RV' && !reversed.has(transactionId)) books.set(transactionId, { operation, amountMinor })
    const entry = books.get(transactionId)
    if (entry && keepsOutcome[operation]) {
      const details = { ExtendedDescription: 'The operation was made.' }
      return {
        kind: 'done',
        answer: { status: 'approved', code: '000.100.110', amountMinor: entry.amountMinor, details },
      }
    }
    reversed.add(transactionId)
    books.delete(transactionId)
    return { kind: 'reversed' }
  }

  /** Sends a message and resolves with its answer, or with `lost` if the message or the answer is lost or too late. */
  function exchange<T>(owner: Owner, name: string, arrive: () => T, lost: T): Promise<T> {
    const transferMs = () => random.below(faults.slowestMs + 1)
    const isLost = () => random.chance(faults.loss)
    return new Promise((resolve) => {
      schedule.after(random.pick(timeoutsMs), owner, '', () => resolve(lost))
      if (isLost()) return
      schedule.after(transferMs(), permanentOwner, name, () => {
        const answer = arrive()
        if (!isLost()) schedule.after(transferMs(), owner, '', () => resolve(answer))
      })
      if (random.chance(faults.duplicates))
        schedule.after(random.below(40_000), permanentOwner, `${name}, duplicate`, () => arrive())
    })
  }

  const noAnswer: NoAnswer = { status: 'unknown' }

  return {
    books,
    connector: (owner) => ({
      kind: 'remote',
      name: 'simulated',
      async send(request) {
        const { transactionId, operation, amountMinor } = request
        const description = `${operation} ${amountMinor}`
        if (requested.has(transactionId)) reportDefect(`the acquirer got two requests for ${transactionId}`)
        requested.add(transactionId)
        if (random.chance(faults.failedConnections)) return { status: 'notSent', reason: 'there is no connection' }
        // The simulator is called at once, because the gateway wipes the request's secrets when it stops waiting.
        const answer = simulator.send(request)
        const arrive = () => {
          record(transactionId, operation, answer)
          return reversed.has(transactionId) ? noAnswer : answer
        }
        return exchange<AcquirerAnswer | NoAnswer>(owner, `request to the acquirer: ${description}`, arrive, noAnswer)
      },
      async reverse(request) {
        if (random.chance(faults.failedConnections)) return { kind: 'unknown' }
        return exchange<ReversalOutcome>(owner, '', () => applyReversal(request), { kind: 'unknown' })
      },
    }),
  }
}
