import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BankExplanation, bankPostingsOf } from './bank-postings.ts'
import { balancesOf } from './balances.ts'

const merchant = 'm1'
const acquirer = 'north'

describe('the entries of a bank entry', () => {
  test.each<[signedMinor: number, explanation: BankExplanation, posting: string]>([
    [500, { kind: 'none' }, 'unmatchedCredit 500'],
    [-500, { kind: 'none' }, 'unmatchedDebit 500'],
    [-500, { kind: 'payout', merchant }, 'payoutPaid 500 m1'],
    [500, { kind: 'payout', merchant }, 'payoutReturn 500 m1'],
    [500, { kind: 'merchant', merchant }, 'merchantCredit 500 m1'],
    [-500, { kind: 'merchant', merchant }, 'merchantDebit 500 m1'],
    [500, { kind: 'acquirer', acquirer }, 'acquirerCredit 500 north'],
    [-500, { kind: 'acquirer', acquirer }, 'acquirerDebit 500 north'],
    [-500, { kind: 'charges' }, 'bankCharge 500'],
    [500, { kind: 'charges' }, 'bankChargeReversal 500'],
    [500, { kind: 'settlementFile', acquirer, netMinor: 500 }, ''],
    [480, { kind: 'settlementFile', acquirer, netMinor: 500 }, 'acquirerDebit 20 north'],
    [520, { kind: 'settlementFile', acquirer, netMinor: 500 }, 'acquirerCredit 20 north'],
    [-500, { kind: 'settlementFile', acquirer, netMinor: -480 }, 'acquirerDebit 20 north'],
    [0, { kind: 'none' }, ''],
  ])('%d, explained by %j: %s', (signedMinor, explanation, expected) => {
    const texts = bankPostingsOf({ signedMinor }, explanation).map(({ kind, amountMinor, merchant: m, acquirer: a }) =>
      [kind, amountMinor, m, a].filter(Boolean).join(' '),
    )
    expect(texts.join()).toBe(expected)
  })
})

const owner = fc.constantFrom('a', 'b')
const explanations: fc.Arbitrary<BankExplanation> = fc.oneof(
  fc.constantFrom<BankExplanation>({ kind: 'none' }, { kind: 'charges' }),
  fc.record({ kind: fc.constantFrom('payout' as const, 'merchant' as const), merchant: owner }),
  fc.record({ kind: fc.constant('acquirer' as const), acquirer: owner }),
  fc.record({ kind: fc.constant('settlementFile' as const), acquirer: owner, netMinor: fc.integer() }),
)

test('change the account of the bank by the amount of the entry that no file states', () => {
  fc.assert(
    fc.property(fc.integer(), explanations, (signedMinor, explanation) => {
      const balances = balancesOf(
        bankPostingsOf({ signedMinor }, explanation).map((each) => ({ ...each, feeMinor: 0 })),
      )
      const stated = explanation.kind === 'settlementFile' ? explanation.netMinor : 0
      expect(balances.get('bank') ?? 0).toBe(signedMinor - stated)
      expect([...balances.values()].reduce((sum, minor) => sum + minor, 0)).toBe(0)
    }),
  )
})
