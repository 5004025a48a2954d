import { describe, expect, it } from 'vitest'
import type { AcquirerAccount } from '../port.ts'
import { testTokens, testVirtualAccounts } from './test-accounts.ts'
import { responseCards } from './test-cards.ts'
import { answerTo, billingAddress, card, request, secret } from './testing/requests.ts'

describe('an account other than a card', () => {
  const account = (kind: AcquirerAccount['kind'], number: string, cvv?: string): AcquirerAccount =>
    card(number, { kind, cvv: cvv === undefined ? undefined : secret(cvv) })

  it.each(testVirtualAccounts)('virtual account $number has result code $code', ({ number, code }) => {
    expect(answerTo(request({ brand: 'PAYPAL', account: account('virtualAccount', number) })).code).toBe(code)
    expect(answerTo(request({ operation: 'RF', account: account('virtualAccount', number) })).status).toBe('approved')
  })

  it.each(testTokens)('token $number has response $response', ({ number, response, advice }) => {
    const { details } = answerTo(request({ account: account('tokenAccount', number) }))
    expect(details).toMatchObject({ AcquirerResponse: response, ...(advice && { MerchantAdviceCode: advice }) })
  })

  it.each<[number: string, pin: string | undefined, amountMinor: number, currency: string, response: string]>([
    ['6006490000000012', '1234', 10_000, 'EUR', '00'],
    ['6006490000000012', undefined, 10_000, 'EUR', '00'],
    ['6006490000000012', '1234', 10_001, 'EUR', '51'],
    ['6006490000000012', '1235', 10_000, 'EUR', '55'],
    ['6006490000000012', '123', 10_000, 'EUR', '55'],
    ['6006490000000251', '1234', 25, 'JPY', '00'],
    ['6006490000000251', '1234', 26, 'JPY', '51'],
    ['6006490000000251', '1234', 25_000, 'KWD', '00'],
    ['6006490000000251', '1234', 25_001, 'KWD', '51'],
    ['6006490000000780', '1234', 100, 'EUR', '78'],
    ['6006490000000541', '1234', 100, 'EUR', '54'],
    ['6006490000000999', '9999', 99_999, 'EUR', '00'],
  ])('gift card %s with pin %s: a payment of %i %s has response %s', (number, pin, amountMinor, currency, response) => {
    const payment = { brand: 'HEB_GIFT_CARD', account: account('giftCard', number, pin), amountMinor, currency }
    const { details } = answerTo(request(payment))
    expect(details.AcquirerResponse).toBe(response)
    expect('AvailableBalance' in details).toBe(response === '51')
  })

  it.each([
    ['EUR', 9200, 2500],
    ['JPY', 92, 25],
  ])(
    'a gift card pays its balance in %s if the balance is below the amount and partial approval is on',
    (currency, amountMinor, approvedMinor) => {
      const payment = { amountMinor, currency, brand: 'HEB_GIFT_CARD', partialApproval: true }
      const answer = answerTo(request({ ...payment, account: account('giftCard', '6006490000000251', '1234') }))
      expect(answer).toMatchObject({ status: 'approved', code: '000.000.001', amountMinor: approvedMinor })
    },
  )

  it.each(responseCards)(
    'the card number $number is no trigger as the number of an account that is not a card',
    ({ number }) => {
      for (const kind of ['virtualAccount', 'tokenAccount', 'giftCard', 'bankAccount'] as const) {
        expect(answerTo(request({ account: account(kind, number) })).status).toBe('approved')
      }
    },
  )

  it('has AVS, cvv and approval codes only if a card network routes the payment', () => {
    const kinds = ['card', 'tokenAccount', 'bankAccount', 'virtualAccount', 'giftCard'] as const
    const networkKinds = kinds.filter((kind) => {
      const { avs, cvv, details } = answerTo(
        request({ account: account(kind, '4111111111111111', '123') }, billingAddress),
      )
      const facts = [avs, cvv, details.AuthCode, details.CardholderInitiatedTransactionID]
      expect(new Set(facts.map((fact) => fact !== undefined)).size).toBe(1)
      return avs !== undefined
    })
    expect(networkKinds).toEqual(['card', 'tokenAccount'])
  })
})
