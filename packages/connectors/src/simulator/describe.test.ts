import { expect, it } from 'vitest'
import { describeSimulator } from './describe.ts'
import { rejectingBankAccounts, testBankAccounts } from './test-bank-accounts.ts'
import { responseCards, testCards } from './test-cards.ts'

it('the guide names every card and bank account', () => {
  const guide = describeSimulator()
  for (const { number } of [...testCards, ...responseCards, ...testBankAccounts, ...rejectingBankAccounts]) {
    expect(guide).toContain(number)
  }
})
