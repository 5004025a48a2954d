import type { AcquirerOperation, AcquirerRequest } from '@tollgate/connectors'
import type { Secret } from '@tollgate/contract'

/** The acquirer's name of each operation that begins a payment. */
const types: Readonly<Partial<Record<AcquirerOperation, string>>> = { PA: 'hold', DB: 'charge', CD: 'credit' }

/**
 * The body of `POST /payments`. A secret becomes a text here, because JSON has no other form: keep no reference to the
 * body, so that its memory is freed as soon as it is sent.
 */
export function newPaymentOf(request: AcquirerRequest): object {
  const { transactionId: id, operation, amountMinor, currency, descriptor, partialApproval, account } = request
  return {
    id,
    type: types[operation],
    amountMinor,
    currency,
    descriptor,
    partialApproval,
    card: {
      number: textOf(account?.number),
      cvv: textOf(account?.cvv),
      holder: account?.holder,
      expiryMonth: account?.expiryMonth,
      expiryYear: account?.expiryYear,
    },
  }
}

const textOf = (secret: Secret | undefined): string | undefined =>
  secret?.use((bytes) => Buffer.from(bytes).toString('latin1'))
