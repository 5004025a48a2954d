import type { Clock } from '../simulator.ts'
import { type BusinessDays, createBusinessDays, midnightInUtc } from './business-day.ts'
import type { CardIndex } from './card.ts'
import { decide } from './decide.ts'
import { answerMessageOf, type HostAnswer } from './host-answer.ts'
import type { HostMessage } from './host-message.ts'
import { readHostRequest, missingFieldOf } from './host-request.ts'
import { applyEntry, type BatchKey, type Change, type HostState } from './host-state.ts'
import type { HostJournal } from './journal.ts'
import { isAnswerType, type MessageTypeRow, messageTypes } from './message-types.ts'
import { type HostSession, manageNetwork } from './network-management.ts'
import { decideReconciliation } from './reconcile.ts'

/** The answer to a message. */
export interface HostReply {
  readonly answer: HostMessage
  /** Resolves when the changes are on disk, and the answer may leave; rejects if the disk fails. */
  readonly durable: Promise<void>
  /** The name of the message, as a reversal names it. */
  readonly reference?: string | undefined
  /** The name of the message that this message has reversed. */
  readonly reversed?: string | undefined
}

/** An acquirer's host: its rules and its memory. */
export interface AcquirerHost {
  readonly state: HostState
  /**
   * Processes a message.
   *
   * @returns an answer with the card number of the message: the caller encodes the answer before it erases the message;
   *   undefined for an answer, which a host does not answer
   */
  handle(message: HostMessage, session: HostSession): HostReply | undefined
  /** Answers a message that cannot be decoded. @param beforeFault the fields before the fault */
  rejectFormat(beforeFault: HostMessage): HostReply
  /** Closes batches, as the host does at the end of its day. Resolves when the changes are on disk. */
  closeBatches(batches: readonly BatchKey[]): Promise<void>
  /** Makes changes that no message caused. Resolves when they are on disk. */
  change(changes: readonly Change[]): Promise<void>
  /** Whether the host accepts no further changes, because its journal is full. */
  isFull(): boolean
}

const FORMAT_ERROR = '30'
const NOT_SIGNED_ON = '91'
const DUPLICATE = '94'
const UNSUPPORTED = '40'
const FULL = '96'

interface Outcome {
  readonly answer: HostAnswer
  readonly changes: readonly Change[]
  /** Under this key a repeat gets the same answer; undefined: the answer is not remembered. */
  readonly key?: string
  readonly reference?: string
  readonly reversed?: string | undefined
}

const refused = (code: string): Outcome => ({ answer: { code }, changes: [] })

/**
 * @param state the memory, which may contain replayed entries
 * @param businessDays those of the host's cut-off
 */
export function createHost(
  clock: Clock,
  cards: CardIndex,
  state: HostState,
  journal: HostJournal,
  businessDays: BusinessDays = createBusinessDays(midnightInUtc),
): AcquirerHost {
  function outcomeOf(message: HostMessage, type: MessageTypeRow | undefined, session: HostSession): Outcome {
    if (type === undefined) return refused(UNSUPPORTED)
    if (type.class === 'network')
      return refused(
        missingFieldOf(message, type) === undefined ? manageNetwork(session, message.fields[70]) : FORMAT_ERROR,
      )
    if (!session.isSignedOn) return refused(NOT_SIGNED_ON)
    return type.class === 'reconciliation' ? reconciliationOf(message, type) : transactionOutcomeOf(message, type)
  }

  function transactionOutcomeOf(message: HostMessage, type: MessageTypeRow): Outcome {
    const nowMs = clock.now()
    const read = readHostRequest(message, type, { cards, state }, nowMs)
    if ('faultyField' in read) return refused(FORMAT_ERROR)
    const { request } = read
    const { duplicateKey: key, reference, originalReference } = request
    const repeated = repeatedOutcome(key, type)
    if (repeated !== undefined) return repeated
    const { answer, changes } = decide({ state, request, nowMs, businessDay: businessDays.dayOf(nowMs) })
    return { answer, changes, key, reference, reversed: type.class === 'reversal' ? originalReference : undefined }
  }

  function reconciliationOf(message: HostMessage, type: MessageTypeRow): Outcome {
    if (missingFieldOf(message, type) !== undefined) return refused(FORMAT_ERROR)
    const { fields } = message
    const today = businessDays.dayOf(clock.now())
    const key = [type.first, fields[7], fields[11], fields[32], fields[41], fields[42], fields[50]].join(' ')
    return repeatedOutcome(key, type) ?? { ...decideReconciliation(state, message, today), key }
  }

  /** A repeat, and a further transmission of an advice, gets the first answer; a new request is a duplicate. */
  function repeatedOutcome(key: string, type: MessageTypeRow): Outcome | undefined {
    const answer = state.answers.get(key)
    if (answer === undefined) return undefined
    return type.isRepeat || type.isAdvice ? { answer, changes: [] } : refused(DUPLICATE)
  }

  function commit({ changes, key, answer }: Outcome): Promise<void> {
    if (changes.length === 0 && key === undefined) return journal.flush()
    const entry = { atMs: clock.now(), changes, answer: key === undefined ? undefined : { key, answer } }
    applyEntry(state, entry)
    return journal.append(entry)
  }

  const change = (changes: readonly Change[]): Promise<void> => commit({ answer: { code: '00' }, changes })

  return {
    state,
    handle(message, session) {
      if (isAnswerType(message.type)) return undefined
      const type = messageTypes[message.type]
      const isNetwork = type?.class === 'network'
      const outcome = journal.isFull() && !isNetwork ? refused(FULL) : outcomeOf(message, type, session)
      const { answer, reference, reversed } = outcome
      const durable = isNetwork ? Promise.resolve() : commit(outcome)
      return { answer: answerMessageOf(message, answer), durable, reference, reversed }
    },
    rejectFormat: (beforeFault) => ({
      answer: answerMessageOf(beforeFault, { code: FORMAT_ERROR }),
      durable: Promise.resolve(),
    }),
    closeBatches: (batches) => change(batches.map((batch) => ({ kind: 'close', batch, by: 'host' }))),
    change,
    isFull: () => journal.isFull(),
  }
}
