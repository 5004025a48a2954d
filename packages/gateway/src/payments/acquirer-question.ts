import type { AcquirerRequest } from '@tollgate/connectors'
import type { Go } from '@tollgate/domain'
import type { Call } from '../http/public/route.ts'

/** The question to the acquirer that a decided move asks. */
export function acquirerQuestion(
  call: Call,
  go: Go,
  about: Pick<AcquirerRequest, 'transactionId' | 'brand' | 'descriptor'> & Partial<Pick<AcquirerRequest, 'card' | 'original'>>,
): AcquirerRequest {
  return {
    ...about,
    operation: go.type,
    amountMinor: go.amountMinor,
    currency: go.currency,
    parameters: call.form.values,
    atMs: call.atMs,
  }
}
