import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { type BankPayment, createBankPayments } from './payments.ts'
import { order } from './testing/test-bank.ts'

const noDetails = {
  intent: 'sale',
  createAgreement: undefined,
  agreementId: undefined,
  locale: undefined,
  merchantReference: undefined,
  email: undefined,
  country: undefined,
  accountHolder: undefined,
  bankName: undefined,
  bankCountry: undefined,
  bic: undefined,
  iban: undefined,
} as const

test('the oldest payment is dropped above the limit', () => {
  let drawn = 0
  const random = () => Buffer.from(String((drawn += 1)).padStart(16, '0'))
  const payments = createBankPayments({ now: () => 0 }, random, () => undefined)
  const open = (reference: string): BankPayment => {
    const payment = payments.open({ ...order, brand: 'IDEAL', ...noDetails, reference })
    if (typeof payment === 'string') throw new Error(payment)
    return payment
  }
  const first = open('first')
  for (let count = 1; count < limits.bankPaymentsMax; count += 1) open(`r${count}`)
  expect(payments.find(first.id)).toBe(first)
  open('one more')
  expect(payments.find(first.id)).toBeUndefined()
  expect(open('first')).not.toEqual(first)
})
