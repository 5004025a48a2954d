import type { CurrencyCode } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { purchaseOf } from './purchase.ts'

type Sent = Parameters<typeof purchaseOf>[0]
const nothingSent: Sent = { riskAmount: undefined, amount: undefined, currency: undefined }
const purchase = (amountMinor: number, currency: CurrencyCode) => ({ kind: 'purchase', amountMinor, currency })

test.each<[name: string, sent: Partial<Sent>, expected: object]>([
  ['the amount of the payment', {}, purchase(9200, 'EUR')],
  ['risk.amount, if sent', { riskAmount: '93.00', amount: '94.00', currency: 'JPY' }, purchase(9300, 'EUR')],
  ['threeDSecure.amount, if sent', { amount: '94.00' }, purchase(9400, 'EUR')],
  ['threeDSecure.amount in threeDSecure.currency', { amount: '94.00', currency: 'JPY' }, purchase(94, 'JPY')],
  ['the amount of the payment with threeDSecure.currency alone', { currency: 'JPY' }, purchase(9200, 'EUR')],
  [
    'refused with decimals that the currency does not have',
    { amount: '94.50', currency: 'JPY' },
    { kind: 'refused', code: '100.550.303', reason: expect.stringMatching(/^threeDSecure.amount: JPY/) },
  ],
])('the authenticated amount is %s', (_name, sent, expected) => {
  expect(purchaseOf({ ...nothingSent, ...sent }, { amountMinor: 9200, currency: 'EUR' })).toMatchObject(expected)
})
