import { isPaymentType, isUndecided } from '@tollgate/domain'
import type { TransactionRow, VisitRow } from '@tollgate/storage'
import { connectorOf } from '../../acquirer/connector-of.ts'
import { heardWithin } from '../../acquirer/link.ts'
import { type Said, unsaid } from '../../acquirer/said.ts'
import type { Answer } from '../../answer.ts'
import type { Gateway } from '../../gateway.ts'
import { known } from '../../known.ts'
import { factsOf, isStatus } from '../records/payment-record.ts'
import { finishPayment } from './finish-payment.ts'
import { goOn } from './go-on.ts'
import { operationOf, originalOf } from '../acquirer-question.ts'

const UNHEARD = { status: 'unknown' } as const

/** What the acquirer says of a payment that waits, whoever gave the cause to ask. */
async function askAgain(gateway: Gateway, visit: VisitRow): Promise<Said> {
  const [row] = await gateway.storage.transactions([visit.transaction_id])
  const connector = row && connectorOf(gateway, factsOf(row))
  if (!row || !isOpen(row) || connector?.kind !== 'remote') return unsaid
  return heardWithin(gateway, async () => (await connector.inquire?.(inquiryOf(row))) ?? UNHEARD)
}

/**
 * Brings the payment to what it has come to, whoever gave the cause. Whoever comes meanwhile shares the next look with
 * others who do: what the issuer has told since his own look at the visit is read by then.
 */
export const lookAfter = (gateway: Gateway, visit: VisitRow): Promise<Answer> =>
  gateway.lookingAfter(visit.id, async () =>
    visit.kind === 'authentication'
      ? goOn(gateway, (await gateway.storage.visit(visit.id)) ?? visit)
      : finishPayment(gateway, visit, await askAgain(gateway, visit)),
  )

/** Whether anything may still come of it. */
export function isOpen(row: TransactionRow): boolean {
  const status = known(isStatus, row.status)
  return status === 'EXPIRED' || isUndecided({ status })
}

const inquiryOf = (row: TransactionRow) => ({
  transactionId: row.id,
  operation: operationOf(known(isPaymentType, row.type)),
  amountMinor: row.amount_minor ?? 0,
  currency: row.currency ?? '',
  brand: row.brand ?? '',
  references: originalOf(row).references,
  atMs: row.created_at_ms,
})
