import { declineReasonOf, type ResultCode } from '@tollgate/contract'

/** Whether a result counts as a declined attempt of the shopper. Cancellations and temporary failures do not count. */
export function isDecline(code: ResultCode | undefined): boolean {
  const reason = code && declineReasonOf(code)
  return reason !== undefined && reason !== 'later' && reason !== 'cancelled'
}
