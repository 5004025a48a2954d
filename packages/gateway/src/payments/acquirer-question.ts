import type { AcquirerAccount, AcquirerRequest } from '@tollgate/connectors'
import type { Go } from '@tollgate/domain'
import type { Call } from '../http/public/route.ts'
import type { UsableInstrument } from './instruments/instrument.ts'

/** What pays, as the acquirer is shown it. */
export const acquirerAccount = ({ account, number, cvv, face }: UsableInstrument): AcquirerAccount => ({
  kind: account,
  number,
  cvv,
  holder: face.holder ?? undefined,
  expiryMonth: face.expiryMonth ?? undefined,
  expiryYear: face.expiryYear ?? undefined,
})

/** The question to the acquirer that a decided move asks. */
export function acquirerQuestion(
  call: Call,
  go: Pick<Go, 'type' | 'amountMinor'> & { readonly currency: string },
  about: Pick<AcquirerRequest, 'transactionId' | 'brand' | 'descriptor'> &
    Partial<Pick<AcquirerRequest, 'account' | 'original' | 'initialTransactionId'>>,
): AcquirerRequest {
  // Written out, because spreading an object on this path costs as much as the rest of the question.
  return {
    transactionId: about.transactionId,
    brand: about.brand,
    descriptor: about.descriptor,
    account: about.account,
    original: about.original,
    initialTransactionId: about.initialTransactionId,
    operation: go.type,
    amountMinor: go.amountMinor,
    currency: go.currency,
    parameters: call.form.values,
    atMs: call.atMs,
  }
}
