import { InvariantError, type ResultCode } from '@tollgate/contract'
import { resultAfterCheck, type TransactionStatus } from '@tollgate/domain'
import type { JobRow, Swap, TransactionRow, VisitRow } from '@tollgate/storage'
import { type Said, statusOfSaid } from '../acquirer/acquirer-response.ts'
import { attemptTimer, safetyTimer } from '../records/timers.ts'
import type { Answer, RequestMark } from '../answer.ts'
import type { Channel } from '../directory/channel.ts'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import { known } from '../narrow.ts'
import { limits } from '../limits.ts'
import { isStatus } from '../records/payment-record.ts'
import { outcomeWith } from '../records/outcome.ts'
import { callOf } from './session-request.ts'
import { keepAgreement } from './keep-agreement.ts'
import { mayTakeDays, progressOf } from '../records/session-record.ts'
import { answerAbout } from '../records/transaction-view.ts'

/**
 * End of a pending payment: the provider's answer, expiry, or a cancellation by the shopper that the provider has not
 * confirmed.
 */
export type Finding = Said | 'expired' | 'abandoned'

/**
 * Brings a payment that waits for a shopper or a bank to its end. The shopper's return, the word of the bank, a poll
 * and the end of its time may all come here, in any order and more than once: one of them changes it, the others find
 * it as it is.
 */
export function finishPayment(gateway: Context, visit: VisitRow, finding: Finding): Promise<Answer> {
  const { ids, clock, commands } = gateway
  const mark = { requestId: ids.ordered(), atMs: clock.now(), ndc: visit.checkout_id ?? undefined }
  const decide = async () => endWith(gateway, mark, visit, finding)
  return commands.execute(mark, undefined, decide, { reference: visit.transaction_id })
}

/** The end of a payment by what was found, for whoever has its turn already. */
export async function endWith(
  gateway: Context,
  mark: RequestMark,
  read: VisitRow,
  finding: Finding,
): Promise<PendingUnit> {
  const { storage, directory } = gateway
  const visit = (await storage.visit(read.id)) ?? read
  const [row] = await storage.transactions([visit.transaction_id])
  if (!row) throw new InvariantError('redirect session has no transaction', visit.id)
  const channel = directory.channel(row.channel)
  if (!channel) throw new InvariantError('payment has no channel', row.id)
  const end = endOf(channel, row, visit, finding)
  if (!end) return { answer: answerAbout(gateway, mark, row) }
  const ended: TransactionRow = {
    ...row,
    status: end.status,
    result_code: end.code,
    amount_minor: end.status === 'ACK' && typeof finding !== 'string' ? finding.amountMinor : row.amount_minor,
    outcome: outcomeWith(row.outcome, { ...end, amountMinor: 0 }),
  }
  const said = typeof finding === 'string' ? undefined : finding
  const isAgreed = end.status === 'ACK' && said?.agreementId !== undefined
  const kept = isAgreed
    ? await keepAgreement(gateway, { call: callOf(mark, visit, row, channel), channel, row: ended }, said)
    : undefined
  const { row: to, made } = kept ?? { row: ended }
  // What has expired gave it back then, and others may have claimed it since.
  const freed = row.status === 'EXPIRED' ? [] : given(visit, end.status, mark.atMs)
  const swaps: Swap[] = [{ table: 'payment_transaction', from: row, to }, ...freed]
  if (mayTakeDays(end.code)) swaps.push(prolonged(visit, mark.atMs))
  const job = [
    ...(end.undo ? [attemptTimer(gateway, to, mark.atMs)] : []),
    ...(await announcement(gateway, visit, end.status, mark.atMs)),
  ]
  const guards = made ? [made.guard] : []
  const rows = made
    ? { job, payment_transaction: [made.transaction], account: [made.account], registration: [made.registration] }
    : { job }
  return { answer: answerAbout(gateway, mark, to), swaps, guards, rows }
}

interface End {
  readonly status: TransactionStatus
  readonly code: ResultCode
  readonly details: Said['details']
  /** What was approved too late is taken back at the acquirer. */
  readonly undo?: true
}

/** What becomes of it; undefined: it stays as it is. */
function endOf(channel: Channel, row: TransactionRow, visit: VisitRow, finding: Finding): End | undefined {
  const status = known(isStatus, row.status)
  // What an acquirer is being asked about ends by what it says, whoever comes meanwhile, and be the time over.
  if (status === 'PENDING') return endOfPending(row, visit, finding)
  return status === 'EXPIRED' && typeof finding !== 'string' ? endOfExpired(channel, finding) : undefined
}

/** Both may still change once, by a late answer of the provider. */
const unconfirmed: Readonly<Record<'expired' | 'abandoned', End>> = {
  expired: {
    status: 'EXPIRED',
    code: '100.396.103',
    details: { ExtendedDescription: 'Nobody confirmed it in time.' },
  },
  abandoned: {
    status: 'EXPIRED',
    code: '100.396.104',
    details: { ExtendedDescription: 'The shopper cancelled the payment; the provider has not confirmed it.' },
  },
}

function endOfPending(row: TransactionRow, visit: VisitRow, finding: Finding): End | undefined {
  if (typeof finding === 'string') return unconfirmed[finding]
  const { verdict } = progressOf(visit)
  const code = verdict ? resultAfterCheck(verdict, finding.code) : finding.code
  const status = statusOfSaid(finding, code)
  const isSame = status === row.status && code === row.result_code
  return isSame || finding.status === 'unsaid' ? undefined : { status, code, details: finding.details }
}

/** "Late acquirer success after expiry -> 000.600.000 update, late failure 100.397.102", or taken back, as is set. */
function endOfExpired({ settings }: Channel, finding: Said): End | undefined {
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
    case 'unsaid':
      return undefined
  }
}

/** What it had claimed is free, once it has come to nothing. */
export function given(visit: VisitRow, status: TransactionStatus, atMs: number): readonly Swap[] {
  if (status !== 'NOK' && status !== 'EXPIRED') return []
  const { unique = [] } = progressOf(visit)
  return unique
    .filter(({ expires_at_ms: endsAtMs }) => (endsAtMs ?? Infinity) > atMs)
    .map((from) => ({ table: 'unique_key', from, to: null }))
}

/** A bank that has taken it up may take days. */
const prolonged = (visit: VisitRow, atMs: number): Swap => ({
  table: 'visit',
  from: visit,
  to: { ...visit, expires_at_ms: Math.max(visit.expires_at_ms, atMs + limits.waitingMs) },
})

/** "A payment that ends after its checkout expired is announced with resourcePath=/v1/payments/{id}." */
async function announcement(
  gateway: Context,
  { checkout_id: checkoutId }: VisitRow,
  status: TransactionStatus,
  atMs: number,
): Promise<readonly JobRow[]> {
  const checkout = checkoutId === null || status === 'PENDING' ? undefined : await gateway.storage.checkout(checkoutId)
  return checkout && atMs >= checkout.expires_at_ms ? [safetyTimer(gateway, checkout, atMs)] : []
}
