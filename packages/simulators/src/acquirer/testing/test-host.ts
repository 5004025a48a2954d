import { createBusinessDays, type HostCutOff, midnightInUtc } from '../business-day.ts'
import { createCardIndex } from '../card.ts'
import type { HostMessage } from '../host-message.ts'
import { type AcquirerHost, createHost } from '../host.ts'
import { createHostState, type JournalEntry } from '../host-state.ts'
import { noJournal } from '../journal.ts'
import { newestTransactions, type TransactionView } from '../views.ts'
import { networkMessage, originalDataOf, replacementOf, testMessage, type TestRequest } from './messages.ts'

/** One message of a conversation. */
export interface TestStep extends Omit<TestRequest, 'fields'> {
  /** The name of an earlier step whose message field 90 names. */
  readonly of?: string
  /** The name of an earlier step whose network transaction id field 62 has. */
  readonly network?: string
  /** The new amount in field 95. */
  readonly remaining?: number
  readonly fields?: HostMessage['fields']
}

/** A host without sockets and files, on 20 November 2026 at 09:30 UTC. */
export class TestHost {
  nowMs = Date.UTC(2026, 10, 20, 9, 30)
  readonly entries: JournalEntry[] = []
  readonly host: AcquirerHost
  readonly session = { isSignedOn: true }
  readonly #messages = new Map<string, HostMessage>()
  readonly #answers = new Map<string, HostMessage>()
  #stan = 0

  /** @param cutOff by default midnight in UTC */
  constructor(cutOff: HostCutOff = midnightInUtc) {
    const journal = {
      ...noJournal,
      append: async (entry: JournalEntry): Promise<void> => void this.entries.push(entry),
    }
    const clock = { now: () => this.nowMs }
    const cards = createCardIndex(new Uint8Array(32).fill(7))
    this.host = createHost(clock, cards, createHostState(), journal, createBusinessDays(cutOff))
  }

  /** Sends a message. The host receives a copy, as from a connection. */
  send(message: HostMessage): HostMessage {
    const reply = this.host.handle(message, this.session)
    if (reply === undefined) throw new Error(`the host does not answer ${message.type}`)
    return reply.answer
  }

  /** The message of a step, with the next trace number. A repeat has the values of the step that it repeats. */
  messageOf({ of, network, remaining, fields, ...values }: TestStep): HostMessage {
    this.#stan += 1
    const original = of === undefined ? undefined : this.#messages.get(of)
    return testMessage({
      stan: this.#stan,
      ...values,
      fields: {
        ...(original !== undefined && { 90: originalDataOf(original) }),
        ...(network !== undefined && { 62: this.#answers.get(network)?.fields[62] }),
        ...(remaining !== undefined && { 95: replacementOf(remaining) }),
        ...fields,
      },
    })
  }

  /** Sends a step. @param name by which later steps name its message */
  step(name: string, step: TestStep): HostMessage {
    const message = this.messageOf(step)
    this.#messages.set(name, message)
    const answer = this.send(message)
    this.#answers.set(name, answer)
    return answer
  }

  /** Transmits the message of an earlier step again, under another type. */
  repeat(name: string, type: string): HostMessage {
    const { fields } = this.#messages.get(name) ?? networkMessage('301')
    return this.send({ type, fields })
  }

  /** The transactions as views show them, the newest first. */
  get views(): readonly TransactionView[] {
    return newestTransactions(this.host.state, {}, 1_000)
  }

  /** The transactions, the oldest first: kind, state, and the amounts authorised, captured, refunded, reversed. */
  get transactions(): readonly string[] {
    return this.views
      .toReversed()
      .map(({ kind, state, authorisedMinor, capturedMinor, refundedMinor, reversedMinor }) =>
        [kind, state, authorisedMinor, capturedMinor, refundedMinor, reversedMinor].join(' '),
      )
  }

  /** The available amounts of all cards that were used. */
  get balances(): readonly number[] {
    return [...this.host.state.balances.values()]
  }

  /** Count and amount of credits, their reversals, debits and their reversals, of each open batch. */
  get totals(): readonly string[] {
    return [...this.host.state.batches.values()].map(
      ({ totals: { credits, creditReversals, debits, debitReversals } }) =>
        [credits, creditReversals, debits, debitReversals]
          .map(({ count, amountMinor }) => `${count}:${amountMinor}`)
          .join(' '),
    )
  }
}
