import type { AcquirerAnswer } from '@tollgate/connectors'
import type { ResultCode } from '@tollgate/contract'
import { statusOf, type TransactionStatus } from '@tollgate/domain'
import type { Routed } from '../records/routed.ts'

/**
 * The result of a request to an acquirer: the acquirer's answer, a timeout, or a decline by the gateway, because the
 * request was not sent or was reversed after a timeout.
 */
export interface AcquirerResponse extends Omit<AcquirerAnswer, 'status'> {
  readonly status: AcquirerAnswer['status'] | 'timedOut'
  /** Whether the request did not reach the acquirer, and could reach it at another time. */
  readonly mayBeSentLater?: boolean | undefined
  /** The connector of the request; absent for the simulator without a route. */
  readonly routed?: Routed | undefined
}

/** The resulting status of a transaction: by `code`, unless the request timed out. */
export const statusOfResponse = ({ status }: AcquirerResponse, code: ResultCode): TransactionStatus =>
  status === 'timedOut' ? 'SENT' : statusOf(code)

/** The response while the request may have been sent and its outcome is unknown. */
export const timedOut: AcquirerResponse = {
  status: 'timedOut',
  code: '900.100.300',
  amountMinor: 0,
  details: {
    ExtendedDescription: 'The acquirer has not answered. The outcome will be determined, or the transaction reversed.',
  },
}

/** The response after an acknowledged timeout reversal. */
export const reversedAfterTimeout: AcquirerResponse = declined(
  '900.100.301',
  'The acquirer did not answer in time. The transaction was reversed.',
)

/** The response to a request that did not reach the acquirer. */
export const notSent = (reason: string, mayBeSentLater = false): AcquirerResponse => ({
  ...declined('900.100.600', `The acquirer was not reached: ${reason}.`),
  mayBeSentLater,
})

function declined(code: ResultCode, explanation: string): AcquirerResponse {
  return { status: 'declined', code, amountMinor: 0, details: { ExtendedDescription: explanation } }
}
