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

/** Unsupported requests, each with the result code of its refusal. */
const unsupported: readonly { readonly name: string; readonly changes: Parameters; readonly code: string }[] = [
  { name: 'a redirect brand', changes: { ...WITHOUT_CARD, paymentBrand: 'PAYPAL' }, code: '600.200.200' },
  {
    name: 'a redirect brand with the name of a bank',
    changes: { ...WITHOUT_CARD, paymentBrand: 'IDEAL', 'bankAccount.bankName': 'ING_TEST' },
    code: '600.200.200',
  },
  { name: 'an unknown brand', changes: { ...WITHOUT_CARD, paymentBrand: 'FOO' }, code: '600.200.100' },
  {
    name: 'an encrypted wallet',
    changes: { ...WITHOUT_CARD, paymentBrand: 'APPLEPAY', 'applePay.paymentToken': '{"data":"x"}' },
    code: '600.200.201',
  },
  { name: '3-D Secure for every card', changes: { entityId: sandboxIds.secureChannel }, code: '600.200.201' },
  {
    name: '3-D Secure for a preauthorisation',
    changes: { entityId: sandboxIds.secureChannel, paymentType: 'PA' },
    code: '600.200.201',
  },
  {
    name: '3-D Secure with an incomplete proof',
    changes: { entityId: sandboxIds.secureChannel, 'threeDSecure.eci': '05' },
    code: '200.300.404',
  },
  {
    name: '3-D Secure of an enrolled card',
    changes: { 'card.number': '4200000000000091', shopperResultUrl: 'https://shop.example/return' },
    code: '600.200.201',
  },
  {
    name: '3-D Secure of a card that the request marks as enrolled',
    changes: { 'customParameters[3DS2_enrolled]': 'true', shopperResultUrl: 'https://shop.example/return' },
    code: '600.200.201',
  },
]

test.each(unsupported)('$name is refused with $code', async ({ changes, code }) => {
  const answer = await send('POST', '/v1/payments', cardPayment(changes))
  expect([answer.status, answer.body.result.code]).toEqual([400, code])
  expect(answer.body).not.toHaveProperty('registrationId')
  if (code !== '200.300.404') {
    expect(answer.body.resultDetails.ExtendedDescription).toEqual(expect.any(String))
    const read = await send('GET', `/v1/payments/${answer.body.id}`, { entityId: undefined })
    expect([read.status, read.body.result.code]).toEqual([200, code])
  }
})

const unsupportedAccounts = unsupported.filter(({ name }) => !name.startsWith('3-D Secure'))

test.each(unsupportedAccounts)('$name cannot be registered', async ({ changes }) => {
  const account = { ...changes, amount: undefined, currency: undefined, paymentType: undefined }
  const { status, body } = await send('POST', '/v1/registrations', { ...cardPayment(changes), ...account })
  expect(status).toBe(400)
  expect(body.result.code).toMatch(/^600\.200\./)
})

describe('3-D Secure is not demanded', () => {
  const onSecureChannel = { entityId: sandboxIds.secureChannel }
  test.each<{ payment: string; changes: Parameters }>([
    { payment: 'a payment with the proof of an external server', changes: { ...onSecureChannel, ...PROOF } },
    { payment: 'a payout', changes: { ...onSecureChannel, paymentType: 'CD' } },
    {
      payment: 'a merchant-initiated payment',
      changes: {
        ...onSecureChannel,
        'standingInstruction.type': 'UNSCHEDULED',
        'standingInstruction.mode': 'REPEATED',
        'standingInstruction.source': 'MIT',
        'standingInstruction.initialTransactionId': '123456789012345',
        'card.cvv': undefined,
      },
    },
    {
      payment: 'an enrolled card in a request without shopperResultUrl',
      changes: { 'card.number': '4200000000000091' },
    },
    {
      payment: 'a card that is not enrolled',
      changes: { 'card.number': '4111111111111111', shopperResultUrl: 'https://shop.example/return' },
    },
  ])('for $payment', async ({ changes }) => {
    const { status, body } = await send('POST', '/v1/payments', cardPayment(changes))
    expect([status, body.result.code]).toEqual([200, '000.100.110'])
  })
})

test('a brand that is not a card brand is refused with the data of a card, and without account data', async () => {
  const otherBrands = Object.entries(brands).filter(([, { kind }]) => kind !== 'card')
  expect(otherBrands.length).toBeGreaterThan(50)
  for (const [paymentBrand] of otherBrands) {
    for (const changes of [{ ...WITHOUT_CARD, paymentBrand }, { paymentBrand }]) {
      const { status, body } = await send('POST', '/v1/payments', cardPayment(changes))
      expect([paymentBrand, status]).toEqual([paymentBrand, 400])
      expect(body.result.code).toMatch(/^(600\.200\.\d{3}|200\.300\.404|100\.100\.501)$/)
    }
  }
})
