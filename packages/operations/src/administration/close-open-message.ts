import { InvariantError, maskCardNumbers, type ResultCode } from '@tollgate/contract'
import { isTestMode, successCode } from '@tollgate/domain'
import type { CompareAndSet, JobRow, TransactionRow } from '@tollgate/storage'
import type { AcquirerResponse } from '../acquirer/acquirer-response.ts'
import { requestOutcome } from '../acquirer/attempts.ts'
import { withOutcome } from '../acquirer/with-outcome.ts'
import { audit } from '../audit.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { jobDone } from '../job-transitions.ts'
import { narrow } from '../narrow.ts'
import { REVERSAL_JOB } from '../records/timers.ts'

/** What the acquirer has confirmed to an operator about a request without a result. */
export type Confirmation =
  | { readonly as: 'declined'; readonly reason: string }
  | { readonly as: 'approved'; readonly reason: string; readonly reference: string }

/** conflict: another operator has decided, or the job is no longer dead-lettered. In both cases nothing was written. */
export type ClosedMessage =
  | { readonly kind: 'closed'; readonly row: TransactionRow }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'refused'; readonly reason: string }

interface OpenMessage {
  readonly job: JobRow
  readonly row: TransactionRow
  readonly confirmation: Confirmation
}

/** The rules in the order in which they are checked: the first that is violated refuses the confirmation. */
const rules: readonly { readonly reason: string; readonly holds: (message: OpenMessage) => boolean }[] = [
  {
    reason: 'it is still sent again: park it first, or wait until it is parked',
    holds: ({ job }) => job.parked_at_ms !== null,
  },
  {
    reason: 'its transaction has another result, and keeps it: have the acquirer cancel it, then close it as declined',
    holds: ({ row: { status }, confirmation }) =>
      confirmation.as === 'declined' || status === 'SENT' || status === 'ACK',
  },
  {
    reason: 'its transaction was approved, and stays so: close it as approved',
    holds: ({ row, confirmation }) => row.status !== 'ACK' || confirmation.as === 'approved',
  },
]

/**
 * Closes a message that the acquirer does not answer or process, with the result that the acquirer has confirmed in
 * another way: the job ends, and a transaction without a result gets this one. Job and transaction are changed by
 * compare-and-set, so that the first of two operators decides.
 *
 * @param job of a request to an acquirer, as it was read
 */
export async function closeOpenMessage(
  context: Context,
  job: JobRow,
  confirmation: Confirmation,
): Promise<ClosedMessage> {
  if (job.kind !== REVERSAL_JOB) return { kind: 'refused', reason: 'it is no message to an acquirer' }
  const [row] = await context.storage.transactions([job.subject_id])
  if (!row) throw new InvariantError('open message has no transaction', job.subject_id)
  const violated = rules.find(({ holds }) => !holds({ job, row, confirmation }))
  if (violated) return { kind: 'refused', reason: violated.reason }
  const response = responseOf(row, confirmation)
  const to = row.status === 'SENT' ? withOutcome(row, response) : row
  const compareAndSets: CompareAndSet[] = [jobDone(job), ...(await requestOutcome(context, row.id, response))]
  if (to !== row) compareAndSets.push({ table: 'payment_transaction', from: row, to })
  if (!(await commitChange(context, { compareAndSets }))) return { kind: 'conflict' }
  const { as, reason } = confirmation
  audit(context.log, 'open message closed', {
    job: job.id,
    transaction: row.id,
    as,
    ...(as === 'approved' && { reference: confirmation.reference }),
    reason: maskCardNumbers(reason),
  })
  return { kind: 'closed', row: to }
}

const DECLINED: ResultCode = '800.100.100'

function responseOf({ amount_minor: amountMinor, test_mode: testMode }: TransactionRow, confirmation: Confirmation) {
  const response: AcquirerResponse =
    confirmation.as === 'approved'
      ? {
          status: 'approved',
          code: successCode(narrow(isTestMode, testMode)),
          amountMinor: amountMinor ?? 0,
          details: { ExtendedDescription: CONFIRMED_APPROVAL, ConnectorTxID1: confirmation.reference },
        }
      : {
          status: 'declined',
          code: DECLINED,
          amountMinor: 0,
          details: { ExtendedDescription: CONFIRMED_DECLINE },
        }
  return response
}

const CONFIRMED_APPROVAL = 'Approved, as the acquirer has confirmed to the operator of the gateway.'
const CONFIRMED_DECLINE = 'Declined, as the acquirer has confirmed to the operator of the gateway.'
