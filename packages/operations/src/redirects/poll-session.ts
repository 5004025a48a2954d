import { isUndecided } from '@tollgate/domain'
import type { TransactionRow, VisitRow } from '@tollgate/storage'
import { connectorOf } from '../acquirer/connector-of.ts'
import { heardWithin } from '../acquirer/link.ts'
import { type Said, unsaid } from '../acquirer/acquirer-response.ts'
import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'
import { known } from '../narrow.ts'
import { factsOf, isStatus } from '../records/payment-record.ts'
import { finishAlone } from '../three-d-secure/finish-standalone.ts'
import { finishPayment } from './finish-payment.ts'
import { goOn } from './resume-payment.ts'
import { inquiryOf } from '../acquirer/authorisation-request.ts'
import { isVisitKind, type VisitKind } from '../records/session-record.ts'

const UNHEARD = { status: 'unknown' } as const

/** What the acquirer says of a payment that waits, whoever gave the cause to ask. */
async function askAgain(gateway: Context, visit: VisitRow): Promise<Said> {
  const [row] = await gateway.storage.transactions([visit.transaction_id])
  const connector = row && connectorOf(gateway, factsOf(row))
  if (!row || !isOpen(row) || connector?.kind !== 'remote') return unsaid
  return heardWithin(gateway, async () => (await connector.inquire?.(inquiryOf(row))) ?? UNHEARD)
}

/**
 * Brings the payment to what it has come to, whoever gave the cause. Whoever comes meanwhile shares the next look with
 * others who do: what was read before it may be older than what they have told.
 */
export const lookAfter = (gateway: Context, read: VisitRow): Promise<Answer> =>
  gateway.singleFlight(read.id, async () => {
    const visit = (await gateway.storage.visit(read.id)) ?? read
    return ways[known(isVisitKind, visit.kind)](gateway, visit)
  })

const ways: Readonly<Record<VisitKind, (gateway: Context, visit: VisitRow) => Promise<Answer>>> = {
  bank: async (gateway, visit) => finishPayment(gateway, visit, await askAgain(gateway, visit)),
  authentication: goOn,
  standalone: finishAlone,
}

/** Whether anything may still come of it. */
export function isOpen(row: TransactionRow): boolean {
  const status = known(isStatus, row.status)
  return status === 'EXPIRED' || isUndecided({ status })
}
