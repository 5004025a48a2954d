import { declineReasonOf, type ResultCode } from '@tollgate/contract'

/** Whether a shopper's attempt was declined, rather than cancelled, or refused for a reason that is only temporary. */
export function isDecline(code: ResultCode | undefined): boolean {
  const reason = code && declineReasonOf(code)
  return reason !== undefined && reason !== 'later' && reason !== 'cancelled'
}
