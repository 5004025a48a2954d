import type { TransactionRow, SessionRow } from '@tollgate/storage'
import { connectorOfRow } from '../acquirer/connector-of.ts'
import { sendReversal } from '../acquirer/remote-request.ts'
import type { AcquirerResponse } from '../acquirer/acquirer-response.ts'
import type { Context } from '../context.ts'
import { narrow } from '../narrow.ts'
import { inquiryOf } from '../acquirer/authorisation-request.ts'
import { isStatus } from '../records/payment-record.ts'
import { cancelAuthentication } from '../three-d-secure/authenticate.ts'
import { finishPayment } from './finish-payment.ts'
import { pollSession } from './poll-session.ts'
import { isAuthentication, mayTakeDays } from '../records/session-record.ts'

/**
 * Whether the shopper may cancel a payment on a page of the gateway: only while the payment depends on the shopper
 * alone. A request that was sent to an acquirer cannot be withdrawn, and neither can a transfer that the shopper has
 * confirmed.
 */
export const isCancellable = (row: TransactionRow): boolean =>
  narrow(isStatus, row.status) === 'PENDING' && !mayTakeDays(row.result_code)

/**
 * Ends the redirect or 3-D Secure session of a shopper who cancels, and its pending payment. If the payment has been
 * made or declined in the meantime, that result stays.
 */
export async function cancelSession(context: Context, session: SessionRow): Promise<void> {
  if (!isAuthentication(session)) return cancelRedirect(context, session)
  await cancelAuthentication(context, session)
  await pollSession(context, session)
}

/** Reads the payment from the provider before the cancellation, so that a completed payment stays. */
async function cancelRedirect(context: Context, session: SessionRow): Promise<void> {
  const row = await cancellableRow(context, session)
  if (!row) return
  const { name, connector } = await connectorOfRow(context, row)
  if (connector.kind !== 'remote') return
  const response = await sendReversal(context, { name, connector }, inquiryOf(row))
  if (response.status === 'declined') await finishPayment(context, session, cancelled)
  else if (await cancellableRow(context, session)) await finishPayment(context, session, 'abandoned')
}

/** "User abort 100.396.101" (domain notes, 1.2): the provider has cancelled the payment. */
const cancelled: AcquirerResponse = {
  status: 'declined',
  code: '100.396.101',
  amountMinor: 0,
  details: { ExtendedDescription: 'The shopper cancelled the payment to pay another way.' },
}

/** The payment in its current state at the provider; undefined if it can no longer be cancelled. */
async function cancellableRow(context: Context, session: SessionRow): Promise<TransactionRow | undefined> {
  await pollSession(context, session)
  const [row] = await context.storage.transactions([session.transaction_id])
  return row && isCancellable(row) ? row : undefined
}
