import { setTimeout } from 'node:timers/promises'
import type {
  AcquirerAnswer,
  AcquirerRequest,
  AnswerToReverse,
  Connector,
  NoAnswer,
  RejectedMessage,
  OriginalTransaction,
  ReversalAttempt,
  ReversalOutcome,
} from '../port.ts'
import { patienceMs } from './faults.ts'
import { openOf } from './sample-requests.ts'

/** The reply of a connector. A reply that does not arrive in time is unknown, as at the gateway. */
export type Reply = AcquirerAnswer | NoAnswer | AnswerToReverse | RejectedMessage

/** A request that was sent, the references that were drawn for it, and its reply. */
export interface Sent {
  readonly request: AcquirerRequest
  readonly sentAs: string | undefined
  readonly reply: Reply
}

const TRIES_MAX = 40
const PAUSE_MS = 50
const UNKNOWN: NoAnswer = { status: 'unknown' }

async function inTime<T, U>(work: Promise<T>, late: U): Promise<T | U> {
  const ended = new AbortController()
  const timeout = setTimeout(patienceMs, late, { signal: ended.signal })
  timeout.catch(() => undefined)
  try {
    return await Promise.race([work, timeout])
  } finally {
    ended.abort()
  }
}

/** Sends a request as the gateway does: it draws references first, and does not wait longer than its patience. */
export async function send(connector: Connector, request: AcquirerRequest): Promise<Sent> {
  if (connector.kind === 'local') return { request, sentAs: undefined, reply: connector.send(request) }
  const sentAs = await connector.references?.(request)
  return { request, sentAs, reply: await inTime(connector.send(request, sentAs), UNKNOWN) }
}

/** Queries a pending payment. */
export async function inquire(connector: Connector, { request, reply }: Sent): Promise<Sent['reply']> {
  if (connector.kind === 'local' || !connector.inquire) throw new Error('a pending answer needs an inquiry')
  const inquiry = { ...openOf(request), references: referencesIn(reply) }
  return inTime(connector.inquire(inquiry), UNKNOWN)
}

/** Reverses a request without an answer, once. */
export async function reverseOnce(
  connector: Connector,
  { request }: Sent,
  attempt: ReversalAttempt | undefined,
): Promise<ReversalOutcome> {
  if (connector.kind === 'local') throw new Error('a local connector answers every request')
  const account = connector.needsAccountLater ? request.account : undefined
  return inTime(connector.reverse(openOf(request), attempt, account), { kind: 'unknown' })
}

/** The references of a reversal; undefined for connectors without references. */
export async function attemptOf(connector: Connector, { request, sentAs }: Sent): Promise<ReversalAttempt | undefined> {
  if (connector.kind === 'local' || !connector.references || sentAs === undefined) return undefined
  const reversalSentAs = await connector.references(openOf(request), { sentAs, reason: 'noAnswer' })
  if (reversalSentAs === undefined) throw new Error('no references are free')
  return { sentAs, reversalSentAs, isRepeat: false }
}

/** Reverses a request under the same references until the outcome is known. */
export async function reverse(connector: Connector, sent: Sent, attempt?: ReversalAttempt): Promise<ReversalOutcome> {
  const drawn = attempt ?? (await attemptOf(connector, sent))
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const repeat = drawn && { ...drawn, isRepeat: drawn.isRepeat || tries > 0 }
    const outcome = await reverseOnce(connector, sent, repeat)
    if (outcome.kind !== 'unknown') return outcome
    await setTimeout(PAUSE_MS)
  }
  return { kind: 'unknown' }
}

/** Sends requests until one reaches the counterpart, which was not reachable before. */
export async function sendWhenReachable(connector: Connector, request: () => AcquirerRequest): Promise<Sent> {
  for (let tries = 0; ; tries += 1) {
    const sent = await send(connector, request())
    if (sent.reply.status !== 'notSent' || tries === TRIES_MAX) return sent
    await setTimeout(PAUSE_MS)
  }
}

/** The references of an answer, in their order. */
export function referencesIn(reply: Reply): readonly string[] {
  if (!('details' in reply)) return []
  const { ConnectorTxID1, ConnectorTxID2, ConnectorTxID3 } = reply.details
  return [ConnectorTxID1, ConnectorTxID2, ConnectorTxID3].filter((reference) => reference !== undefined)
}

/** A sent payment, as the transaction that a follow-up refers to. */
export function originalOf({ request, reply }: Sent, captureSequence?: number): OriginalTransaction {
  const networkTransactionId = 'details' in reply ? reply.details['CardholderInitiatedTransactionID'] : undefined
  const { transactionId, amountMinor } = request
  return { transactionId, references: referencesIn(reply), networkTransactionId, amountMinor, captureSequence }
}
