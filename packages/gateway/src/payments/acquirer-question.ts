import type { AcquirerRequest } from '@tollgate/connectors'
import type { Go } from '@tollgate/domain'
import type { Call } from '../http/public/route.ts'

/** The question to the acquirer that a decided move asks. */
export function acquirerQuestion(
  call: Call,
  go: Go,
  about: Pick<AcquirerRequest, 'transactionId' | 'brand' | 'descriptor'> &
    Partial<Pick<AcquirerRequest, 'account' | 'original'>>,
): AcquirerRequest {
  // Written out, because spreading an object on this path costs as much as the rest of the question.
  return {
    transactionId: about.transactionId,
    brand: about.brand,
    descriptor: about.descriptor,
    account: about.account,
    original: about.original,
    operation: go.type,
    amountMinor: go.amountMinor,
    currency: go.currency,
    parameters: call.form.values,
    atMs: call.atMs,
  }
}
