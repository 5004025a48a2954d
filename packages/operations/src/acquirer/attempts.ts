import type {
  AcquirerAnswer,
  AcquirerRequest,
  OpenRequest,
  ReversalAttempt,
  ReversalOutcome,
  ReversalReason,
} from '@tollgate/connectors'
import type { AcquirerAttemptRow, CompareAndSet } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import type { NamedConnector } from './named-connector.ts'

/** The references of a connector whose acquirer knows requests by their transaction ids. */
const NO_REFERENCES = '{}'

/** A verification of an account holds nothing, so that no reversal and no follow-up names its attempt. */
type AttemptKind = 'request' | 'verification' | 'reversal'
type AttemptContext = Pick<Context, 'storage' | 'ids' | 'clock'>

interface NewAttempt {
  readonly kind: AttemptKind
  readonly merchant: string
  /** Only of a reversal: the references of the reversed message, and the reason. */
  readonly reversal?: { readonly sentAs: string; readonly reason: ReversalReason }
}

/**
 * The attempt of a message, to be stored before the message is sent.
 *
 * @returns undefined: no references are free, and the message cannot be sent
 */
export async function newAttempt(
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  { name, connector }: NamedConnector,
  request: OpenRequest & Partial<Pick<AcquirerRequest, 'parameters' | 'hasStoredAccount' | 'offlineApproval'>>,
  { kind, merchant, reversal }: NewAttempt,
): Promise<AcquirerAttemptRow | undefined> {
  const drawsReferences = connector.kind === 'remote' && connector.references !== undefined
  const sentAs = drawsReferences ? await connector.references?.(request, reversal) : NO_REFERENCES
  if (sentAs === undefined) return undefined
  return {
    transaction_id: request.transactionId,
    // The attempts of a transaction are read in the order of their ids, also those of one millisecond.
    id: ids.sequenced(),
    merchant,
    kind,
    connector: name,
    sent_as: sentAs,
    outcome: null,
    created_at_ms: clock.now(),
    settlement_day: null,
  }
}

/** Stores the result of an attempt: the acquirer's response code if there is one. */
export function attemptDone(
  from: AcquirerAttemptRow,
  { code, details, settlementDay = null }: AttemptResult,
): CompareAndSet {
  const outcome = details['AcquirerResponse'] ?? code
  return { table: 'acquirer_attempt', from, to: { ...from, outcome, settlement_day: settlementDay } }
}

type AttemptResult = Pick<AcquirerAnswer, 'code' | 'details'> & { readonly settlementDay?: number | null | undefined }

/**
 * The references for the reversal of the last request of a transaction. Those of the reversal are stored before it is
 * sent for the first time, so that each later message is a repeat of the first.
 *
 * @returns undefined if the connector needs no references, or none are free. nothingToReverse: the request has no
 *   stored references, so that it was not sent, or was an account verification, which holds no amount
 */
export async function reversalAttempt(
  context: AttemptContext,
  named: NamedConnector,
  request: OpenRequest,
  reason: ReversalReason,
): Promise<ReversalAttempt | 'nothingToReverse' | undefined> {
  if (named.connector.kind !== 'remote' || !named.connector.references) return undefined
  const attempts = await context.storage.acquirerAttempts(request.transactionId)
  const sent = attempts.findLast(({ kind }) => kind === 'request')
  if (!sent) return 'nothingToReverse'
  const reversal = attempts.find(({ kind, id }) => kind === 'reversal' && id > sent.id)
  if (reversal) return { sentAs: sent.sent_as, reversalSentAs: reversal.sent_as, isRepeat: true }
  const row = await newAttempt(context, named, request, {
    kind: 'reversal',
    merchant: sent.merchant,
    reversal: { sentAs: sent.sent_as, reason },
  })
  if (!row) return undefined
  await commitChange(context, { rows: { acquirer_attempt: [row] } })
  return { sentAs: sent.sent_as, reversalSentAs: row.sent_as, isRepeat: false }
}

/**
 * Stores the outcome of a reversal with its attempt, once: the acquirer's response code if there is one.
 */
export async function storeReversalOutcome(
  context: AttemptContext,
  { transactionId }: OpenRequest,
  outcome: ReversalOutcome,
): Promise<void> {
  const text = outcomeOf(outcome)
  if (text === undefined) return
  const from = (await context.storage.acquirerAttempts(transactionId)).findLast(({ kind }) => kind === 'reversal')
  if (!from || from.outcome !== null) return
  const compareAndSets = [{ table: 'acquirer_attempt' as const, from, to: { ...from, outcome: text } }]
  await commitChange(context, { compareAndSets })
}

function outcomeOf(outcome: ReversalOutcome): string | undefined {
  switch (outcome.kind) {
    case 'reversed':
      return outcome.response ?? 'reversed'
    case 'done':
      return outcome.answer.details['AcquirerResponse'] ?? outcome.answer.code
    case 'rejected':
    case 'unknown':
      return undefined
  }
}

/** The outcome of the last request of a transaction, if the reversal job determines it; none if it is known. */
export async function requestOutcome(
  { storage }: Pick<Context, 'storage'>,
  transactionId: string,
  response: AttemptResult,
): Promise<readonly CompareAndSet[]> {
  const sent = (await storage.acquirerAttempts(transactionId)).findLast(({ kind }) => kind === 'request')
  return sent?.outcome === null ? [attemptDone(sent, response)] : []
}

/** The attempt of the last request of a transaction; undefined if none was stored. */
export async function lastRequest(
  { storage }: Pick<Context, 'storage'>,
  transactionId: string,
): Promise<AcquirerAttemptRow | undefined> {
  return (await storage.acquirerAttempts(transactionId)).findLast(({ kind }) => kind === 'request')
}
