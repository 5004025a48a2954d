import type { AcquirerAnswer } from '@tollgate/connectors'
import type { ResultCode } from '@tollgate/contract'
import { statusOf, type TransactionStatus } from '@tollgate/domain'

/** What is known of a question to an acquirer: its answer, or that there is none yet. */
export interface AcquirerResponse extends Omit<AcquirerAnswer, 'status'> {
  readonly status: AcquirerAnswer['status'] | 'timedOut'
}

/** What a transaction has become by it, as `code` says where the acquirer was heard. */
export const statusOfResponse = ({ status }: AcquirerResponse, code: ResultCode): TransactionStatus =>
  status === 'timedOut' ? 'SENT' : statusOf(code)

/** Of what may have been asked. It holds until something else is known. */
export const timedOut: AcquirerResponse = {
  status: 'timedOut',
  code: '900.100.300',
  amountMinor: 0,
  details: { ExtendedDescription: 'The acquirer has not answered. What became of it is found out, or it is reversed.' },
}

/** Of what the acquirer had not answered in time. */
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
