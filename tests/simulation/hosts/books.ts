import type { TransactionView } from '@tollgate/simulators/testing'
import type { AcquirerAttemptRow, MemoryDisk, TransactionRow, Unit } from '@tollgate/storage'
import {
  type BookedTransaction,
  differenceOf,
  gatewayEntries,
  hostEntries,
  isEffective,
} from '../../support/acquirer-books.ts'
import { cardNumbers } from '../shop-requests.ts'
import { fail } from '../violation.ts'
import type { SimulatedHost } from './acquirer-host.ts'

// The invariants of payments at the hosts of acquirers, by the stored rows and the hosts' memories.

/** Checks of the books of hosts. A violated invariant throws a `Violation`. */
export interface HostBooks {
  /** Called after a unit was written. */
  readonly onWritten: (unit: Unit) => void
  /** Checks everything that must hold at any time. */
  readonly check: () => void
  /** Checks everything after all work is done. */
  readonly checkAtEnd: () => void
}

/** The references of a message, as its attempt has them. */
interface SentAs {
  readonly terminalId: string
  readonly stan: string
  readonly atMs: number
}

const sentAsOf = ({ sent_as: text }: AcquirerAttemptRow): SentAs => JSON.parse(text)

/** MMDDhhmmss in UTC, as field 7. */
const transmittedAt = (atMs: number): string =>
  new Date(atMs)
    .toISOString()
    .replaceAll(/[^0-9]/g, '')
    .slice(4, 14)

/** The name of a message at a host, by the references of its attempt. */
function messageOf(attempt: AcquirerAttemptRow): string {
  const { terminalId, stan, atMs } = sentAsOf(attempt)
  return `${attempt.connector} ${terminalId} ${stan} ${transmittedAt(atMs)}`
}

const CAPTURE_OF_NO_HOLD = new Set(['12', '25', '64'])

export function createHostBooks(rows: MemoryDisk, hosts: readonly SimulatedHost[]): HostBooks {
  /** The attempt of each terminal, day and trace number of an account. */
  const traces = new Map<string, string>()

  const transactions = (): readonly TransactionRow[] => [...rows.transactionsOf.values()].flat()

  /** The requests of each transaction, in the order in which they were sent. */
  function requestsByTransaction(): ReadonlyMap<string, readonly AcquirerAttemptRow[]> {
    const byTransaction = new Map<string, AcquirerAttemptRow[]>()
    for (const attempt of rows.acquirer_attempt.values()) {
      if (attempt.kind !== 'request') continue
      byTransaction.set(attempt.transaction_id, [...(byTransaction.get(attempt.transaction_id) ?? []), attempt])
    }
    return byTransaction
  }

  /** A trace number is used once for its terminal and day. Only a repeat has the references of its first message. */
  function checkTrace(attempt: AcquirerAttemptRow): void {
    const { terminalId, stan, atMs } = sentAsOf(attempt)
    const trace = `${attempt.connector} ${terminalId} ${new Date(atMs).toISOString().slice(0, 10)} ${stan}`
    const user = `${attempt.transaction_id} ${attempt.sent_as}`
    if ((traces.get(trace) ?? user) !== user) fail(`the trace number ${trace} is used twice`)
    traces.set(trace, user)
  }

  /** A payment is sent to another acquirer only after the result of the first one is known. */
  function checkEarlierRequests(attempt: AcquirerAttemptRow): void {
    const requests = requestsByTransaction().get(attempt.transaction_id) ?? []
    for (const { connector, outcome, id } of attempt.kind === 'request' ? requests : [])
      if (id < attempt.id && outcome === null)
        fail(`${attempt.transaction_id} is sent to ${attempt.connector}, and its outcome at ${connector} is unknown`)
  }

  function checkNoCardData(attempt: AcquirerAttemptRow): void {
    const text = JSON.stringify(attempt)
    if (cardNumbers.some((number) => text.includes(number))) fail(`the attempt ${attempt.id} has a card number`)
    if (/cvv|"123"/.test(text)) fail(`the attempt ${attempt.id} has a cvv`)
  }

  const isBeingReversed = (transactionId: string): boolean =>
    [...rows.job.values()].some(
      ({ kind, subject_id: id, done_at_ms: doneAtMs }) =>
        kind === 'end-attempt' && id === transactionId && doneAtMs === null,
    )

  /** What a host has approved is stored, at this host, and not as declined. */
  function checkApproval(
    host: string,
    approval: TransactionView,
    attempt: AcquirerAttemptRow | undefined,
    last: AcquirerAttemptRow | undefined,
    row: TransactionRow | undefined,
  ): void {
    const description = `${approval.kind} ${approval.terminal} ${approval.stan}`
    if (!attempt || !row) return fail(`${host} has a ${description} that is not stored`)
    if (last !== attempt && !isBeingReversed(row.id))
      return fail(`${row.type} ${row.id} is approved at ${host}, and was sent to ${last?.connector}`)
    if (row.status === 'NOK' && !isBeingReversed(row.id))
      return fail(`${row.type} ${row.id} is declined, and in the acquirer's books`)
    return undefined
  }

  function check(): void {
    const requests = requestsByTransaction()
    const attempts = new Map([...requests.values()].flat().map((attempt) => [messageOf(attempt), attempt]))
    const stored = new Map(transactions().map((row) => [row.id, row]))
    for (const { name, transactions: transactionsOf } of hosts) {
      for (const transaction of transactionsOf()) {
        const { kind, state, authorisedMinor, capturedMinor, responseCode } = transaction
        if (kind === 'authorisation' && capturedMinor > authorisedMinor)
          fail(`${name} has captured ${capturedMinor} of ${authorisedMinor}`)
        if (kind === 'capture' && state === 'declined' && CAPTURE_OF_NO_HOLD.has(responseCode))
          fail(`${name} has declined a capture with ${responseCode}: more than it holds`)
        if (!isEffective(transaction)) continue
        const attempt = attempts.get(nameAt(name, transaction))
        const transactionId = attempt?.transaction_id ?? ''
        checkApproval(name, transaction, attempt, requests.get(transactionId)?.at(-1), stored.get(transactionId))
      }
    }
  }

  /** The transactions that were sent to hosts, with the names of their messages. */
  function booked(): readonly BookedTransaction[] {
    const requests = requestsByTransaction()
    // The rows of a payment are in the order of their commits. By their ids a follow-up may come before its original,
    // if the clocks of their processes differ.
    return transactions().flatMap((row) => {
      const last = requests.get(row.id)?.at(-1)
      if (!last || !hosts.some(({ name }) => name === last.connector)) return []
      const { id, type, status, referenced_id: referencedId, amount_minor: amountMinor } = row
      return [{ id, type, status, referencedId, amountMinor: amountMinor ?? 0, message: messageOf(last) }]
    })
  }

  return {
    onWritten({ rows: { acquirer_attempt: attempts = [] } }) {
      for (const attempt of attempts) {
        checkNoCardData(attempt)
        if (!hosts.some(({ name }) => name === attempt.connector)) continue
        checkTrace(attempt)
        checkEarlierRequests(attempt)
      }
    },
    check,
    checkAtEnd() {
      check()
      const atHosts = hosts.flatMap(({ name, transactions: transactionsOf }) =>
        hostEntries(transactionsOf(), (transaction) => nameAt(name, transaction)),
      )
      const { onlyAtGateway, onlyAtHost } = differenceOf(gatewayEntries(booked()), atHosts)
      if (onlyAtGateway.length + onlyAtHost.length > 0)
        fail(
          `the books differ: only the gateway has ${onlyAtGateway.join()}; only the acquirer has ${onlyAtHost.join()}`,
        )
    },
  }
}

/** The name of a message, by a transaction of a host. */
const nameAt = (host: string, { terminal, stan, transmittedAt: at }: TransactionView): string =>
  `${host} ${terminal} ${stan} ${at}`
