import type { AcquirerAnswer } from '@tollgate/connectors'
import type { ResultCode } from '@tollgate/contract'
import { statusOf, type TransactionStatus } from '@tollgate/domain'

/** The result of a request to an acquirer: its answer, or none yet. */
export interface AcquirerResponse extends Omit<AcquirerAnswer, 'status'> {
  readonly status: AcquirerAnswer['status'] | 'timedOut'
}

/** The resulting status of a transaction, by `code` if the acquirer answered. */
export const statusOfResponse = ({ status }: AcquirerResponse, code: ResultCode): TransactionStatus =>
  status === 'timedOut' ? 'SENT' : statusOf(code)

/** The status while the request may have been sent. Valid until the outcome is known. */
export const timedOut: AcquirerResponse = {
  status: 'timedOut',
  code: '900.100.300',
  amountMinor: 0,
  details: {
    ExtendedDescription: 'The acquirer has not answered. The outcome will be determined, or the transaction reversed.',
  },
}

/** The acquirer did not answer in time. */
export const reversedAfterTimeout: AcquirerResponse = declined(
  '900.100.301',
  'The acquirer did not answer in time. Whatever it may have done was reversed.',
)

/** Of what never reached the acquirer. */
export const notSent = (why: string): AcquirerResponse =>
  declined('900.100.600', `The acquirer was not reached: ${why}.`)

function declined(code: ResultCode, explanation: string): AcquirerResponse {
  return { status: 'declined', code, amountMinor: 0, details: { ExtendedDescription: explanation } }
}
