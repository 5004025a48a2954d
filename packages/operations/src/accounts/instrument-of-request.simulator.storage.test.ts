import { afterAll, describe, expect, test } from 'vitest'
import { type Parameters, summary, testGateway } from '@tollgate/gateway/testing'
import { accountRequests, APPROVED, card, giftCard, networkToken, virtualAccount } from '../testing/sample-accounts.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { pay } = accountRequests(tollgate)

describe('the simulator', () => {
  test.each<{ account: string; form: Parameters; code: string; details?: object }>([
    {
      account: 'an empty virtual account',
      form: { ...virtualAccount, 'virtualAccount.accountId': 'empty@wallet.example' },
      code: '800.100.155',
    },
    {
      account: 'a suspended token',
      form: { ...networkToken, 'tokenAccount.number': '4895370000000627' },
      code: '800.100.168',
    },
    {
      account: 'the cryptogram of another payment',
      form: { ...networkToken, 'tokenAccount.number': '4895370000000825' },
      code: '800.100.153',
      details: { MerchantAdviceCode: '04' },
    },
    { account: 'a wrong pin', form: { ...giftCard, 'giftCard.pin': '4321' }, code: '800.100.166' },
    {
      account: 'a gift card with too little balance',
      form: { ...giftCard, 'giftCard.number': '6006490000000251' },
      code: '800.100.155',
      details: { AvailableBalance: '25.00' },
    },
  ])('declines $account', async ({ form, code, details = {} }) => {
    const declined = await pay(form)
    expect(summary(declined)).toEqual([400, code])
    expect(declined.body.resultDetails).toMatchObject(details)
  })

  test('approves a payout to a gift card above its balance', async () => {
    const payout = await pay({ ...giftCard, 'giftCard.number': '6006490000000251' }, { paymentType: 'CD' })
    expect([summary(payout), payout.body.amount]).toEqual([APPROVED, '92.00'])
  })

  test('approves a card payment for the amount that a gift card does not cover', async () => {
    const part = await pay({ ...giftCard, 'giftCard.number': '6006490000000251' }, { amount: '25.00' })
    expect(summary(part)).toEqual(APPROVED)
    const remainder = await pay(card, {
      amount: '67.00',
      'cart.payments[0].type': 'GIFTCARD',
      'cart.payments[0].amount': '25.00',
      'cart.payments[0].currency': 'EUR',
      'cart.payments[0].status': 'captured',
    })
    expect(summary(remainder)).toEqual(APPROVED)
    expect(remainder.body.cart.payments).toEqual([
      { type: 'GIFTCARD', amount: '25.00', currency: 'EUR', status: 'captured' },
    ])
  })

  test('returns no address check, cvv check or authorisation code for virtual accounts and gift cards', async () => {
    const address = { 'billing.street1': 'Main Street 1', 'billing.postcode': '10115' }
    for (const form of [virtualAccount, giftCard]) {
      const { body } = await pay({ ...form, ...address })
      expect(body.result).not.toHaveProperty('avsResponse')
      expect(body.result).not.toHaveProperty('cvvResponse')
      expect(body.resultDetails).not.toHaveProperty('AuthCode')
    }
    expect((await pay({ ...networkToken, ...address })).body).toMatchObject({
      result: { avsResponse: 'F' },
      resultDetails: { AuthCode: expect.any(String) },
    })
  })
})
