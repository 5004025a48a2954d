import { afterAll, describe, expect, test } from 'vitest'
import { brands } from '@tollgate/contract'
import { sandboxIds } from '../directory/sandbox.ts'
import { cardPayment, type Parameters, testGateway } from '@tollgate/gateway/testing'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send } = tollgate

const WITHOUT_CARD = {
  paymentBrand: undefined,
  'card.number': undefined,
  'card.holder': undefined,
  'card.expiryMonth': undefined,
  'card.expiryYear': undefined,
  'card.cvv': undefined,
}
const PROOF = { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=' }

/** Unsupported requests, which are refused with the reason in the answer and never approved. */
const unsupported: readonly { readonly what: string; readonly changes: Parameters; readonly code: string }[] = [
  { what: 'a redirect brand', changes: { ...WITHOUT_CARD, paymentBrand: 'PAYPAL' }, code: '600.200.200' },
  {
    what: 'a redirect brand with the name of a bank',
    changes: { ...WITHOUT_CARD, paymentBrand: 'IDEAL', 'bankAccount.bankName': 'ING_TEST' },
    code: '600.200.200',
  },
  { what: 'an unknown brand', changes: { ...WITHOUT_CARD, paymentBrand: 'FOO' }, code: '600.200.100' },
  {
    what: 'an encrypted wallet',
    changes: { ...WITHOUT_CARD, paymentBrand: 'APPLEPAY', 'applePay.paymentToken': '{"data":"x"}' },
    code: '600.200.201',
  },
  { what: '3-D Secure for every card', changes: { entityId: sandboxIds.secureChannel }, code: '600.200.201' },
  {
    what: '3-D Secure for a preauthorisation',
    changes: { entityId: sandboxIds.secureChannel, paymentType: 'PA' },
    code: '600.200.201',
  },
  {
    what: '3-D Secure with an incomplete proof',
    changes: { entityId: sandboxIds.secureChannel, 'threeDSecure.eci': '05' },
    code: '200.300.404',
  },
  {
    what: '3-D Secure of an enrolled card',
    changes: { 'card.number': '4200000000000091', shopperResultUrl: 'https://shop.example/return' },
    code: '600.200.201',
  },
  {
    what: '3-D Secure of a card that the request marks as enrolled',
    changes: { 'customParameters[3DS2_enrolled]': 'true', shopperResultUrl: 'https://shop.example/return' },
    code: '600.200.201',
  },
]

test.each(unsupported)('$what is refused with $code', async ({ changes, code }) => {
  const answer = await send('POST', '/v1/payments', cardPayment(changes))
  expect([answer.status, answer.body.result.code]).toEqual([400, code])
  expect(answer.body).not.toHaveProperty('registrationId')
  if (code !== '200.300.404') {
    expect(answer.body.resultDetails.ExtendedDescription).toEqual(expect.any(String))
    const read = await send('GET', `/v1/payments/${answer.body.id}`, { entityId: undefined })
    expect([read.status, read.body.result.code]).toEqual([200, code])
  }
})

const accounts = unsupported.filter(({ what }) => !what.startsWith('3-D Secure'))

test.each(accounts)('$what cannot be registered', async ({ changes }) => {
  const account = { ...changes, amount: undefined, currency: undefined, paymentType: undefined }
  const { status, body } = await send('POST', '/v1/registrations', { ...cardPayment(changes), ...account })
  expect(status).toBe(400)
  expect(body.result.code).toMatch(/^600\.200\./)
})

describe('3-D Secure is not demanded', () => {
  const secure = { entityId: sandboxIds.secureChannel }
  test.each<{ of: string; changes: Parameters }>([
    { of: 'a payment with the proof of an external server', changes: { ...secure, ...PROOF } },
    { of: 'a payout', changes: { ...secure, paymentType: 'CD' } },
    {
      of: 'a merchant-initiated payment',
      changes: {
        ...secure,
        'standingInstruction.type': 'UNSCHEDULED',
        'standingInstruction.mode': 'REPEATED',
        'standingInstruction.source': 'MIT',
        'standingInstruction.initialTransactionId': '123456789012345',
        'card.cvv': undefined,
      },
    },
    { of: 'an enrolled card in a request without shopperResultUrl', changes: { 'card.number': '4200000000000091' } },
    {
      of: 'a card that is not enrolled',
      changes: { 'card.number': '4111111111111111', shopperResultUrl: 'https://shop.example/return' },
    },
  ])('for $of', async ({ changes }) => {
    const { status, body } = await send('POST', '/v1/payments', cardPayment(changes))
    expect([status, body.result.code]).toEqual([200, '000.100.110'])
  })
})

test('a payment without a bank account is approved only with a card brand', async () => {
  const others = Object.entries(brands).filter(([, { kind }]) => kind !== 'card')
  expect(others.length).toBeGreaterThan(50)
  for (const [paymentBrand] of others) {
    for (const withCard of [{ ...WITHOUT_CARD, paymentBrand }, { paymentBrand }]) {
      const { status, body } = await send('POST', '/v1/payments', cardPayment(withCard))
      expect([paymentBrand, status]).toEqual([paymentBrand, 400])
      expect(body.result.code).toMatch(/^(600\.200\.\d{3}|200\.300\.404|100\.100\.501)$/)
    }
  }
})
