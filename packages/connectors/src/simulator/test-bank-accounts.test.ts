import { Secret, sepaRejectReasons } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import {
  centsOf,
  findRejectingBankAccount,
  reasonOfCents,
  rejectingBankAccounts,
  testBankAccounts,
} from './test-bank-accounts.ts'

const secret = (number: string) => new Secret(new Uint8Array(Buffer.from(number, 'ascii')))

/** Check of an IBAN by ISO 13616: its digits modulo 97 are 1. */
function isIban(text: string): boolean {
  const digits = Array.from(text.slice(4) + text.slice(0, 4), (character) => Number.parseInt(character, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

describe('test bank accounts', () => {
  it.each([...testBankAccounts, ...rejectingBankAccounts])('$number is an IBAN of $country', ({ country, number }) => {
    expect(number.startsWith(country)).toBe(true)
    expect(isIban(number)).toBe(true)
  })

  it('are listed once', () => {
    const numbers = [...testBankAccounts, ...rejectingBankAccounts].map(({ number }) => number)
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  it('include accepted and rejecting accounts of three countries', () => {
    for (const accounts of [testBankAccounts, rejectingBankAccounts]) {
      expect(new Set(accounts.map(({ country }) => country))).toEqual(new Set(['DE', 'AT', 'NL']))
    }
  })

  it('include a rejecting account for every reason', () => {
    const reasons = new Set(rejectingBankAccounts.map(({ reason }) => reason))
    expect([...reasons].toSorted()).toEqual(Object.keys(sepaRejectReasons))
  })
})

describe('the last two digits', () => {
  it.each(rejectingBankAccounts)('of $number encode $reason', (account) => {
    const cents = Number(centsOf(account))
    for (const amountMinor of [cents, 9200 + cents]) expect(reasonOfCents(amountMinor)).toBe(account.reason)
  })

  it.each([0, 6, 10, 99, 9200, 9206, 9950, 9999])('of %i cents encode no reason', (amountMinor) => {
    expect(reasonOfCents(amountMinor)).toBeUndefined()
  })
})

describe('findRejectingBankAccount', () => {
  it('compares every character', () => {
    expect(findRejectingBankAccount(secret('NL85TEST0000000004'))?.reason).toBe('AM04')
    expect(findRejectingBankAccount(secret('NL85TEST0001000004'))).toBeUndefined()
    expect(findRejectingBankAccount(secret('NL91ABNA0417164300'))).toBeUndefined()
  })
})
