import { expect, test } from 'vitest'
import { balancesOf } from './balances.ts'
import { owedToMerchant } from './owed-to-merchant.ts'
import { isPostingKind, type PostingKindName, postingKinds } from './posting-kinds.ts'

test.each<[kind: PostingKindName, grossMinor: number, feeMinor: number]>([
  ['hold', 0, 30],
  ['release', 0, 30],
  ['expiry', 0, 0],
  ['capture', 1000, 30],
  ['charge', 1000, 30],
  ['captureReversal', -1000, 30],
  ['chargeReversal', -1000, 30],
  ['refund', -1000, 30],
  ['refundReturn', 1000, 0],
  ['refundReturnReversal', -1000, 0],
  ['chargeback', -1000, 30],
  ['chargebackReversal', 1000, 0],
  ['available', 0, 0],
  ['availableReversal', 0, 0],
  ['reserve', 0, 0],
  ['reserveRelease', 0, 0],
  ['payout', -1000, 0],
  ['payoutCancellation', 1000, 0],
  ['payoutPaid', 0, 0],
  ['payoutReturn', 1000, 0],
  ['merchantCredit', 1000, 0],
  ['merchantDebit', -1000, 0],
  ['acquirerCredit', 0, 0],
  ['bankCharge', 0, 0],
])('a %s changes what is owed to the merchant by %i less %i', (kind, grossMinor, feeMinor) => {
  expect(owedToMerchant({ kind, amountMinor: 1000, feeMinor: 30 })).toEqual({ grossMinor, feeMinor })
})

test('the change of each kind is that of the balances of the merchant', () => {
  for (const kind of Object.keys(postingKinds).filter(isPostingKind)) {
    const sums = { kind, amountMinor: 1000, feeMinor: 30 }
    const balances = balancesOf([sums])
    const owed = ['merchantPending', 'merchantAvailable', 'merchantReserve'] as const
    const credits = owed.reduce((sum, account) => sum - (balances.get(account) ?? 0), 0)
    const { grossMinor, feeMinor } = owedToMerchant(sums)
    expect([kind, grossMinor - feeMinor]).toEqual([kind, credits])
  }
})
