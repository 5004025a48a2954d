import { sepaRejectReasons } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import type { AcquirerOperation } from '../port.ts'
import { clearingInstituteName } from './simulator.ts'
import { rejectingBankAccounts, testBankAccounts } from './test-bank-accounts.ts'
import { answerTo, bankRequest, billingAddress, card, forcedRequest } from './testing/requests.ts'

describe('a SEPA payment', () => {
  const [{ number: acceptedNumber } = { number: '' }] = testBankAccounts
  const initialBankOperations: readonly AcquirerOperation[] = ['DB', 'CD']

  it.each(testBankAccounts)('with $number is accepted, without fields of cards', ({ number }) => {
    for (const operation of initialBankOperations) {
      expect(answerTo(bankRequest(number, { operation }, billingAddress))).toEqual({
        status: 'approved',
        code: '000.100.110',
        amountMinor: 9200,
        details: {
          ExtendedDescription: 'Accepted for execution',
          clearingInstituteName,
          ConnectorTxID1: expect.any(String),
          ConnectorTxID2: expect.any(String),
          ConnectorTxID3: expect.any(String),
          AcquirerResponse: 'ACCP',
        },
      })
    }
  })

  it.each(rejectingBankAccounts)('with $number is rejected: $reason', ({ number, reason }) => {
    const { resultCode, text } = sepaRejectReasons[reason]
    const rejected = {
      status: 'declined',
      code: resultCode,
      amountMinor: 0,
      details: { ExtendedDescription: text, AcquirerResponse: reason },
    }
    const amountMinor = 9200 + Number(number.slice(-2))
    for (const operation of initialBankOperations) {
      expect(answerTo(bankRequest(number, { operation }))).toMatchObject(rejected)
    }
    expect(answerTo(bankRequest(acceptedNumber, { amountMinor }))).toMatchObject(rejected)
    expect(
      answerTo(bankRequest(acceptedNumber, {}, { 'customParameters[forceAcquirerResponse]': reason })),
    ).toMatchObject(rejected)
    // Only a debit can be rejected by its amount. A refund presents no account.
    expect(answerTo(bankRequest(acceptedNumber, { amountMinor, operation: 'CD' })).status).toBe('approved')
    expect(answerTo(bankRequest(number, { amountMinor, operation: 'RF' })).details.AcquirerResponse).toBe('ACCP')
  })

  it('is accepted with an amount that declines a card payment', () => {
    expect(answerTo(bankRequest(acceptedNumber, { amountMinor: 8_885_100 })).status).toBe('approved')
  })

  it('can only be forced to have ACCP or a SEPA reason; a card payment cannot be forced to have a SEPA reason', () => {
    for (const response of ['05', 'AM99', 'MD06', 'accp']) {
      const forced = bankRequest(acceptedNumber, {}, { 'customParameters[forceAcquirerResponse]': response })
      expect(answerTo(forced).code).toBe('600.200.810')
    }
    expect(answerTo(forcedRequest('forceAcquirerResponse', 'AM04')).code).toBe('600.200.810')
  })

  it.each([
    ['800.100.203', 'AM04'],
    ['800.100.202', 'AC04'],
    ['000.000.000', 'ACCP'],
    ['800.100.151', 'ZZ'],
  ])('with forced result code %s has response %s', (code, response) => {
    const forced = bankRequest(acceptedNumber, {}, { 'customParameters[forceResultCode]': code })
    expect(answerTo(forced)).toMatchObject({ code, details: { AcquirerResponse: response } })
  })

  it('has the result code that was sent as holder; the error for an unforcible code names bankAccount.holder', () => {
    const answerWithHolder = (holder: string) =>
      answerTo(bankRequest(acceptedNumber, { account: card(acceptedNumber, { kind: 'bankAccount', holder }) }))
    expect(answerWithHolder('{800.100.204}').code).toBe('800.100.204')
    expect(answerWithHolder('{000.200.000}').details.ExtendedDescription).toContain('bankAccount.holder')
  })
})
