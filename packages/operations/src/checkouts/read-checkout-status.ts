import { describeResult } from '@tollgate/contract'
import { isUndecided } from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import type { Answer } from '../answer.ts'
import { commitChange } from '../commit-change.ts'
import { areLegacy } from '../directory/channel.ts'
import type { Context } from '../context.ts'
import type { PathRequest } from '../requests.ts'
import { narrow } from '../narrow.ts'
import { limits } from '../limits.ts'
import { visibilityOf } from '../directory/visibility.ts'
import { isStatus } from '../records/payment-record.ts'
import { renderTransaction } from '../records/transaction-view.ts'
import { missingAnswer, missingReason } from './checkout-answers.ts'
import { readCheckout, type StoredCheckout } from './checkout-record.ts'

const UNPAID = '000.200.000'

/** "GET /checkouts/{id}/payment: final status of the checkout payment", or of its registration. */
export async function readCheckoutStatus(context: Context, request: PathRequest): Promise<Answer> {
  const { storage, render, rates } = context
  const mark = { ...request, ndc: request.id }
  const stored = await readCheckout(context, request.id)
  const owner = stored && { merchant: stored.row.merchant, channel: stored.row.entity_id }
  const isVisible = owner && visibilityOf(context, request, owner) === 'visible'
  if (!stored || !isVisible) return missingAnswer(context, request, missingReason(context, request.id))
  if (request.atMs >= stored.expiresAtMs) return missingAnswer(context, mark, 'expired')
  const retryAfterMs = rates.statusReads.take(request.id, limits.statusReadsPerMinute, request.atMs)
  if (retryAfterMs > 0) return { ...render.refusal(429, '800.120.100', mark, TOO_OFTEN), retryAfterMs }
  const [row] = stored.row.transaction_id === null ? [] : await storage.transactions([stored.row.transaction_id])
  if (!row) return unpaidAnswer(context, request, stored)
  if (!isUndecided({ status: narrow(isStatus, row.status) })) await recordRead(context, stored, row, request.atMs)
  return { status: 200, code: '000.000.100', body: renderTransaction(render, row, mark) }
}

const TOO_OFTEN = { reason: 'the status of a checkout may be read twice a minute' }

/** "Unpaid: 200, 000.200.000, id is the checkout's (the contract requires an id; legacy: no id)." */
function unpaidAnswer({ render, directory }: Context, request: PathRequest, { row }: StoredCheckout): Answer {
  const head = {
    id: areLegacy(directory.channelsFor(request.caller, row.entity_id)) ? undefined : row.id,
    result: { code: UNPAID, description: describeResult(UNPAID) },
  }
  return { status: 200, code: UNPAID, body: render.body(head, { ...request, ndc: row.id }) }
}

/**
 * Records the first read of the result. After a conflict with a concurrent submit the read is not recorded, because it
 * returned the state before the submit.
 */
async function recordRead(context: Context, { row }: StoredCheckout, result: TransactionRow, atMs: number) {
  if (row.read_at_ms !== null || row.transaction_id !== result.id) return
  const to = { ...row, read_at_ms: atMs }
  await commitChange(context, { compareAndSets: [{ table: 'checkout', from: row, to }] })
}
