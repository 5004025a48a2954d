import type { ResultCode } from '@tollgate/contract'
import { resultAfterCheck, type TransactionStatus } from '@tollgate/domain'
import type { JobRow, CompareAndSet, TransactionRow, SessionRow } from '@tollgate/storage'
import { type AcquirerResponse, statusOfResponse } from '../acquirer/acquirer-response.ts'
import { timeoutReversalTimer, safetyTimer } from '../records/timers.ts'
import type { Answer, RequestMark } from '../answer.ts'
import type { Channel } from '../directory/channel.ts'
import { keyReleases, type PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import { narrow } from '../narrow.ts'
import { limits } from '../limits.ts'
import { isStatus } from '../records/payment-record.ts'
import { readSessionPayment } from '../records/read-session.ts'
import { type LaterResult, outcomeWith } from '../records/outcome.ts'
import { requestOfSession } from './session-request.ts'
import { registerAccount } from './register-account.ts'
import { mayTakeDays, progressOf } from '../records/session-record.ts'
import { answerAbout } from '../records/transaction-view.ts'

/**
 * The result of a pending payment: the provider's response, expiry, or a cancellation by the shopper that the provider
 * has not confirmed.
 */
export type SessionResult = AcquirerResponse | 'expired' | 'abandoned'

/**
 * Completes a pending payment. The shopper's return, a notification of the bank, a poll and the timeout may all call
 * this function, in any order and repeatedly: a call whose result changes nothing returns the stored result.
 */
export function finishPayment(context: Context, session: SessionRow, result: SessionResult): Promise<Answer> {
  const { ids, clock, commands } = context
  const mark = { requestId: ids.ordered(), atMs: clock.now(), ndc: session.checkout_id ?? undefined }
  const decide = async () => decideCompletion(context, mark, session, result)
  return commands.execute(mark, undefined, decide, { mutexKey: session.transaction_id })
}

/** Decides the completion of a payment with a result. The caller holds the mutex of the payment. */
export async function decideCompletion(
  context: Context,
  mark: RequestMark,
  staleSession: SessionRow,
  result: SessionResult,
): Promise<PendingUnit> {
  const session = (await context.storage.session(staleSession.id)) ?? staleSession
  const { row, channel } = await readSessionPayment(context, session)
  const change = stateChangeOf(channel, row, session, result)
  if (!change) return { answer: answerAbout(context, mark, row) }
  const changedRow: TransactionRow = {
    ...row,
    status: change.status,
    result_code: change.code,
    amount_minor: change.status === 'ACK' && typeof result !== 'string' ? result.amountMinor : row.amount_minor,
    outcome: outcomeWith(row.outcome, change),
  }
  const response = typeof result === 'string' ? undefined : result
  const request = requestOfSession(mark, session, row, channel)
  const { row: newRow, ...onFile } =
    change.status === 'ACK' && response
      ? await registerAccount(context, { request, channel, row: changedRow }, response)
      : { row: changedRow }
  // An expired payment releases nothing again: its uniqueness constraints are already released, and another payment
  // may have claimed them since.
  const releases = row.status === 'EXPIRED' ? [] : sessionKeyReleases(session, change.status, mark.atMs)
  const compareAndSets = mayTakeDays(change.code) ? [...releases, extendedSession(session, mark.atMs)] : releases
  const job = [
    ...(change.needsReversal ? [timeoutReversalTimer(context, newRow, mark.atMs)] : []),
    ...(await expiredCheckoutJobs(context, session, change.status, mark.atMs)),
  ]
  const transaction = { row: newRow, from: row }
  return {
    ...onFile,
    answer: answerAbout(context, mark, newRow),
    transaction,
    compareAndSets,
    rows: { ...onFile.rows, job },
  }
}

interface StateChange extends LaterResult {
  readonly status: TransactionStatus
  /** Whether an approval after the timeout is reversed at the acquirer. */
  readonly needsReversal?: true
}

/** The new state of the payment; undefined: no change. */
function stateChangeOf(
  channel: Channel,
  row: TransactionRow,
  session: SessionRow,
  result: SessionResult,
): StateChange | undefined {
  const status = narrow(isStatus, row.status)
  // The status SENT is not changed here: a request to an acquirer is in flight, and its response decides, even after
  // the end of the session.
  if (status === 'PENDING') return changeOfPending(row, session, result)
  return status === 'EXPIRED' && typeof result !== 'string' ? changeOfExpired(channel, result) : undefined
}

/** Results that a late response of the provider may still change once. */
const unconfirmed: Readonly<Record<'expired' | 'abandoned', StateChange>> = {
  expired: {
    status: 'EXPIRED',
    code: '100.396.103',
    details: { ExtendedDescription: 'The shopper did not confirm the payment in time.' },
  },
  abandoned: {
    status: 'EXPIRED',
    code: '100.396.104',
    details: { ExtendedDescription: 'The shopper cancelled the payment; the provider has not confirmed it.' },
  },
}

function changeOfPending(row: TransactionRow, session: SessionRow, result: SessionResult): StateChange | undefined {
  if (typeof result === 'string') return unconfirmed[result]
  const { verdict } = progressOf(session)
  const code = verdict ? resultAfterCheck(verdict, result.code) : result.code
  const status = statusOfResponse(result, code)
  const isSame = status === row.status && code === row.result_code
  return isSame || result.status === 'timedOut' ? undefined : { ...laterResult(result, code), status }
}

/**
 * "Late acquirer success after expiry -> 000.600.000 update, late failure 100.397.102". If the setting `lateApproval`
 * is not `accept`, a late approval is reversed instead. A late cancellation by the shopper has code 100.397.101.
 */
function changeOfExpired({ settings }: Channel, result: AcquirerResponse): StateChange | undefined {
  switch (result.status) {
    case 'approved':
      return settings.lateApproval === 'accept'
        ? { ...laterResult(result, '000.600.000'), status: 'ACK' }
        : { ...laterResult(result, '100.396.103'), status: 'NOK', needsReversal: true }
    case 'declined': {
      const code = result.code === '100.396.101' ? '100.397.101' : '100.397.102'
      return { ...laterResult(result, code), status: 'NOK' }
    }
    case 'pending':
    case 'timedOut':
      return undefined
  }
}

const laterResult = ({ details, avs, cvv, accountFacts }: AcquirerResponse, code: ResultCode): LaterResult => ({
  code,
  details,
  avs,
  cvv,
  accountFacts,
})

/** The releases of the unique keys in a session whose payment has failed or expired; none for any other status. */
export function sessionKeyReleases(
  session: SessionRow,
  status: TransactionStatus,
  atMs: number,
): readonly CompareAndSet[] {
  if (status !== 'NOK' && status !== 'EXPIRED') return []
  const { unique = [] } = progressOf(session)
  return keyReleases(unique, atMs)
}

/**
 * Extends a session to at least `limits.acceptedPendingMs` from now, because a bank that has accepted a transfer may
 * take days to complete it.
 */
const extendedSession = (session: SessionRow, atMs: number): CompareAndSet => ({
  table: 'visit',
  from: session,
  to: { ...session, expires_at_ms: Math.max(session.expires_at_ms, atMs + limits.acceptedPendingMs) },
})

/** "A payment that ends after its checkout expired is announced with resourcePath=/v1/payments/{id}." */
async function expiredCheckoutJobs(
  context: Context,
  { checkout_id: checkoutId }: SessionRow,
  status: TransactionStatus,
  atMs: number,
): Promise<readonly JobRow[]> {
  const checkout = checkoutId === null || status === 'PENDING' ? undefined : await context.storage.checkout(checkoutId)
  return checkout && atMs >= checkout.expires_at_ms ? [safetyTimer(context, checkout, atMs)] : []
}
