import { expect, it } from 'vitest'
import { describeSimulator } from './describe.ts'
import { testGiftCards, testTokens, testVirtualAccounts } from './test-accounts.ts'
import { rejectingBankAccounts, testBankAccounts } from './test-bank-accounts.ts'
import { responseCards, testCards } from './test-cards.ts'
import { threeDSecureCards } from './three-d-secure-cards.ts'
import { threeDSecureFaultCards } from './three-d-secure-fault-cards.ts'

it('the guide names every card and account', () => {
  const guide = describeSimulator()
  const cards = [...testCards, ...responseCards, ...testGiftCards, ...threeDSecureCards, ...threeDSecureFaultCards]
  const accounts = [...testBankAccounts, ...rejectingBankAccounts, ...testVirtualAccounts, ...testTokens]
  for (const { number } of [...cards, ...accounts]) expect(guide).toContain(number)
})
