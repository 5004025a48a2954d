import type { ResultCode } from '@tollgate/contract'
import { resultAfterCheck, type TransactionStatus } from '@tollgate/domain'
import type { JobRow, CompareAndSet, TransactionRow, SessionRow } from '@tollgate/storage'
import { type AcquirerResponse, statusOfResponse } from '../acquirer/acquirer-response.ts'
import { timeoutReversalTimer, safetyTimer } from '../records/timers.ts'
import type { Answer, RequestMark } from '../answer.ts'
import type { Channel } from '../directory/channel.ts'
import { freedKeys, type PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import { known } from '../narrow.ts'
import { limits } from '../limits.ts'
import { isStatus } from '../records/payment-record.ts'
import { readSessionPayment } from '../records/read-session.ts'
import { outcomeWith } from '../records/outcome.ts'
import { requestOfSession } from './session-request.ts'
import { keepAgreement } from './keep-agreement.ts'
import { mayTakeDays, progressOf } from '../records/session-record.ts'
import { answerAbout } from '../records/transaction-view.ts'

/**
 * End of a pending payment: the provider's answer, expiry, or a cancellation by the shopper that the provider has not
 * confirmed.
 */
export type Finding = AcquirerResponse | 'expired' | 'abandoned'

/**
 * Completes a payment that waits for a shopper or a bank. The shopper's return, a notification of the bank, a poll and
 * the timeout may all call this, in any order and repeatedly: one of them changes the payment, the others read the
 * result.
 */
export function finishPayment(context: Context, session: SessionRow, finding: Finding): Promise<Answer> {
  const { ids, clock, commands } = context
  const mark = { requestId: ids.ordered(), atMs: clock.now(), ndc: session.checkout_id ?? undefined }
  const decide = async () => endWith(context, mark, session, finding)
  return commands.execute(mark, undefined, decide, { reference: session.transaction_id })
}

/** Completes the payment with a result, under a mutex that the caller has. */
export async function endWith(
  context: Context,
  mark: RequestMark,
  read: SessionRow,
  finding: Finding,
): Promise<PendingUnit> {
  const session = (await context.storage.session(read.id)) ?? read
  const { row, channel } = await readSessionPayment(context, session)
  const end = endOf(channel, row, session, finding)
  if (!end) return { answer: answerAbout(context, mark, row) }
  const ended: TransactionRow = {
    ...row,
    status: end.status,
    result_code: end.code,
    amount_minor: end.status === 'ACK' && typeof finding !== 'string' ? finding.amountMinor : row.amount_minor,
    outcome: outcomeWith(row.outcome, { ...end, amountMinor: 0 }),
  }
  const response = typeof finding === 'string' ? undefined : finding
  const isAgreed = end.status === 'ACK' && response?.agreementId !== undefined
  const kept = isAgreed
    ? await keepAgreement(
        context,
        { request: requestOfSession(mark, session, row, channel), channel, row: ended },
        response,
      )
    : undefined
  const { row: to, registered } = kept ?? { row: ended }
  // An expired payment released its uniqueness constraints, and another one may have them since.
  const freed = row.status === 'EXPIRED' ? [] : given(session, end.status, mark.atMs)
  const compareAndSets = mayTakeDays(end.code) ? [...freed, prolonged(session, mark.atMs)] : freed
  const job = [
    ...(end.undo ? [timeoutReversalTimer(context, to, mark.atMs)] : []),
    ...(await announcement(context, session, end.status, mark.atMs)),
  ]
  const transaction = { row: to, from: row }
  return { answer: answerAbout(context, mark, to), transaction, registered, compareAndSets, rows: { job } }
}

interface End {
  readonly status: TransactionStatus
  readonly code: ResultCode
  readonly details: AcquirerResponse['details']
  /** An approval after the timeout is reversed at the acquirer. */
  readonly undo?: true
}

/** The new state of the payment; undefined: no change. */
function endOf(channel: Channel, row: TransactionRow, session: SessionRow, finding: Finding): End | undefined {
  const status = known(isStatus, row.status)
  // While a request to an acquirer is in flight, its response decides, even after the end of the session.
  if (status === 'PENDING') return endOfPending(row, session, finding)
  return status === 'EXPIRED' && typeof finding !== 'string' ? endOfExpired(channel, finding) : undefined
}

/** Both may still change once, by a late answer of the provider. */
const unconfirmed: Readonly<Record<'expired' | 'abandoned', End>> = {
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

function endOfPending(row: TransactionRow, session: SessionRow, finding: Finding): End | undefined {
  if (typeof finding === 'string') return unconfirmed[finding]
  const { verdict } = progressOf(session)
  const code = verdict ? resultAfterCheck(verdict, finding.code) : finding.code
  const status = statusOfResponse(finding, code)
  const isSame = status === row.status && code === row.result_code
  return isSame || finding.status === 'timedOut' ? undefined : { status, code, details: finding.details }
}

/** "Late acquirer success after expiry -> 000.600.000 update, late failure 100.397.102", or taken back, as is set. */
function endOfExpired({ settings }: Channel, finding: AcquirerResponse): End | undefined {
  switch (finding.status) {
    case 'approved':
      return settings.lateApproval === 'accept'
        ? { status: 'ACK', code: '000.600.000', details: finding.details }
        : { status: 'NOK', code: '100.396.103', details: finding.details, undo: true }
    case 'declined': {
      const code = finding.code === '100.396.101' ? '100.397.101' : '100.397.102'
      return { status: 'NOK', code, details: finding.details }
    }
    case 'pending':
    case 'timedOut':
      return undefined
  }
}

/** A failed payment releases its uniqueness constraints. */
export function given(session: SessionRow, status: TransactionStatus, atMs: number): readonly CompareAndSet[] {
  if (status !== 'NOK' && status !== 'EXPIRED') return []
  const { unique = [] } = progressOf(session)
  return freedKeys(unique, atMs)
}

/** A bank that has taken it up may take days. */
const prolonged = (session: SessionRow, atMs: number): CompareAndSet => ({
  table: 'visit',
  from: session,
  to: { ...session, expires_at_ms: Math.max(session.expires_at_ms, atMs + limits.waitingMs) },
})

/** "A payment that ends after its checkout expired is announced with resourcePath=/v1/payments/{id}." */
async function announcement(
  context: Context,
  { checkout_id: checkoutId }: SessionRow,
  status: TransactionStatus,
  atMs: number,
): Promise<readonly JobRow[]> {
  const checkout = checkoutId === null || status === 'PENDING' ? undefined : await context.storage.checkout(checkoutId)
  return checkout && atMs >= checkout.expires_at_ms ? [safetyTimer(context, checkout, atMs)] : []
}
