import { randomBytes } from 'node:crypto'
import { Secret } from '@tollgate/contract'
import type { AcquirerAccount, AcquirerRequest, OpenRequest } from '../port.ts'

/** The texts of the sample account, which may be stored nowhere. */
export const secretTexts = ['4200000000000091', '737', 'Jane Conform'] as const
const [NUMBER, CVV, HOLDER] = secretTexts

const secretOf = (text: string): Secret => new Secret(Uint8Array.from(Buffer.from(text)))

/** A card that any counterpart approves. Each request has secrets of its own, which the caller erases. */
export const sampleCard = (number: string = NUMBER): AcquirerAccount => ({
  kind: 'card',
  number: secretOf(number),
  holder: HOLDER,
  expiryMonth: '12',
  expiryYear: '2034',
  cvv: secretOf(CVV),
})

/** A debit of 92.00 EUR from the sample card. */
export function sampleRequest(changes: Partial<AcquirerRequest> = {}): AcquirerRequest {
  return {
    transactionId: randomBytes(16).toString('hex'),
    operation: 'DB',
    amountMinor: 9200,
    currency: 'EUR',
    brand: 'VISA',
    testMode: 'INTERNAL',
    account: sampleCard(),
    descriptor: 'Order 4711',
    partialApproval: false,
    parameters: new Map(),
    secrets: new Map(),
    urls: { returnUrl: 'https://gateway.example/return', notificationUrl: 'https://gateway.example/notify' },
    atMs: Date.now(),
    ...changes,
  }
}

/** The part of a request that is stored, for its reversal. */
export function openOf(request: AcquirerRequest): OpenRequest {
  const { transactionId, operation, amountMinor, currency, brand, testMode, original, atMs } = request
  return { transactionId, operation, amountMinor, currency, brand, testMode, original, atMs }
}

/** Erases the secrets of a request, as the gateway does once it stops waiting. */
export function wipe({ account, secrets }: AcquirerRequest): void {
  account?.number?.wipe()
  account?.cvv?.wipe()
  for (const secret of secrets.values()) secret.wipe()
}
