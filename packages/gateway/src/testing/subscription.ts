import { cardPayment, type Parameters, type TestGateway } from './test-gateway.ts'

/** Makes the first payment of a subscription, which stores the card. @returns the id of the registration */
export async function createSubscriber({ send }: Pick<TestGateway, 'send'>, changes: Parameters = {}): Promise<string> {
  const { status, body } = await send(
    'POST',
    '/v1/payments',
    cardPayment({
      createRegistration: 'true',
      'standingInstruction.type': 'RECURRING',
      'standingInstruction.mode': 'INITIAL',
      'standingInstruction.source': 'CIT',
      ...changes,
    }),
  )
  if (status !== 200) throw new Error(`the first payment of the subscription failed: ${JSON.stringify(body)}`)
  return body.registrationId
}

/** A plan that charges 9.20 EUR on the first of every month. */
export const monthlyPlan = (registrationId: string, changes: Parameters = {}): Parameters => ({
  registrationId,
  amount: '9.20',
  currency: 'EUR',
  paymentType: 'DB',
  'job.month': '*',
  ...changes,
})

/** The fields of a charge that tests compare. */
export interface ChargeSummary {
  /** ISO 8601. */
  readonly at: string
  readonly merchantTransactionId: string | null
  readonly code: string
}

/** The charges under a subscriber's agreement, the oldest first, without the first payment. */
export async function chargesOf(
  { gateway, send }: TestGateway,
  registrationId: string,
): Promise<readonly ChargeSummary[]> {
  const stored = await gateway.storage.registration(registrationId)
  if (!stored?.initial_transaction_id) throw new Error('the registration has no agreement')
  const rows = await gateway.storage.newestOfAgreement(stored.initial_transaction_id, stored.merchant, 1_000)
  const charges = rows.toReversed().map((row) => ({
    at: new Date(row.created_at_ms).toISOString(),
    merchantTransactionId: row.merchant_transaction_id,
    code: row.result_code,
  }))
  // Reads the newest charge, so that its answer is checked against the contract.
  const [newest] = rows
  if (newest) await send('GET', `/v1/payments/${newest.id}`, { entityId: newest.channel })
  return charges
}
