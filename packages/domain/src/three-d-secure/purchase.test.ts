import type { CurrencyCode } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { purchaseOf } from './purchase.ts'

type Sent = Parameters<typeof purchaseOf>[0]
const nothing: Sent = { riskAmount: undefined, amount: undefined, currency: undefined }
const purchase = (amountMinor: number, currency: CurrencyCode) => ({ kind: 'purchase', amountMinor, currency })

test.each<[what: string, sent: Partial<Sent>, expected: object]>([
  ['the payment by itself', {}, purchase(9200, 'EUR')],
  ['risk.amount', { riskAmount: '93.00', amount: '94.00', currency: 'JPY' }, purchase(9300, 'EUR')],
  ['threeDSecure.amount', { amount: '94.00' }, purchase(9400, 'EUR')],
  ['threeDSecure.amount and currency', { amount: '94.00', currency: 'JPY' }, purchase(94, 'JPY')],
  ['threeDSecure.currency alone', { currency: 'JPY' }, purchase(9200, 'EUR')],
  [
    'an amount that its currency does not have',
    { amount: '94.50', currency: 'JPY' },
    { kind: 'refused', code: '100.550.303', reason: expect.stringMatching(/^threeDSecure.amount: JPY/) },
  ],
])('authenticated for %s', (_what, sent, expected) => {
  expect(purchaseOf({ ...nothing, ...sent }, { amountMinor: 9200, currency: 'EUR' })).toMatchObject(expected)
})
