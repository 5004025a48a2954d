import type { CurrencyCode } from '@tollgate/contract'
import { expect, it } from 'vitest'
import { riskAmount } from './risk-amount.ts'

it.each<[sent: string | undefined, currency: CurrencyCode, outcome: object]>([
  [undefined, 'EUR', { kind: 'amount', amountMinor: 9_200 }],
  ['92.00', 'EUR', { kind: 'amount', amountMinor: 9_200 }],
  ['92.01', 'EUR', { kind: 'amount', amountMinor: 9_201 }],
  ['91.99', 'EUR', { kind: 'refused', code: '100.550.605' }],
  ['9200.50', 'JPY', { kind: 'refused', code: '100.550.603' }],
  ['999999999999.00', 'BHD', { kind: 'amount', amountMinor: 999_999_999_999_000 }],
  ['999999999999.00', 'CLF', { kind: 'refused', code: '100.550.601' }],
])('for a payment of 9200 minor units, risk.amount=%s in %s has the outcome %j', (sent, currency, outcome) => {
  expect(riskAmount(sent, currency, 9_200)).toMatchObject(outcome)
})
