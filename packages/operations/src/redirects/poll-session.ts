import { isUndecided } from '@tollgate/domain'
import type { TransactionRow, SessionRow } from '@tollgate/storage'
import { connectorOfRow } from '../acquirer/connector-of.ts'
import { sendInquiry } from '../acquirer/remote-request.ts'
import { type AcquirerResponse, timedOut } from '../acquirer/acquirer-response.ts'
import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'
import { narrow } from '../narrow.ts'
import { isStatus } from '../records/payment-record.ts'
import { finishStandalone } from '../three-d-secure/finish-standalone.ts'
import { finishPayment } from './finish-payment.ts'
import { resumePayment } from './resume-payment.ts'
import { inquiryOf } from '../acquirer/authorisation-request.ts'
import { isSessionKind, type SessionKind } from '../records/session-record.ts'

const NO_RESPONSE = { status: 'unknown' } as const

/** Sends an inquiry about a payment to its acquirer, unless the result can no longer change. */
async function inquire(context: Context, session: SessionRow): Promise<AcquirerResponse> {
  const [row] = await context.storage.transactions([session.transaction_id])
  if (!row || !mayResultChange(row)) return timedOut
  const { connector } = await connectorOfRow(context, row)
  if (connector.kind !== 'remote') return timedOut
  return sendInquiry(context, async () => (await connector.inquire?.(inquiryOf(row))) ?? NO_RESPONSE)
}

/**
 * Polls a session, and completes its payment if there is a result. Concurrent callers share the next poll, because the
 * poll in flight may have read an earlier state.
 */
export const pollSession = (context: Context, staleSession: SessionRow): Promise<Answer> =>
  context.commands.once(staleSession.id, async () => {
    const session = (await context.storage.session(staleSession.id)) ?? staleSession
    return pollByKind[narrow(isSessionKind, session.kind)](context, session)
  })

const pollByKind: Readonly<Record<SessionKind, (context: Context, session: SessionRow) => Promise<Answer>>> = {
  bank: async (context, session) => finishPayment(context, session, await inquire(context, session)),
  authentication: resumePayment,
  standalone: finishStandalone,
}

/** Whether the result of a payment may still change. */
export function mayResultChange(row: TransactionRow): boolean {
  const status = narrow(isStatus, row.status)
  return status === 'EXPIRED' || isUndecided({ status })
}
