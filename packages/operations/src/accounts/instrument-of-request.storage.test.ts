import { afterAll, describe, expect, test } from 'vitest'
import { comparableBody, type Parameters, summary, testGateway } from '@tollgate/gateway/testing'
import { money } from '../testing/registration-requests.ts'
import {
  accountRequests,
  APPROVED,
  bankAccount,
  card,
  deviceNumber,
  encryptedCard,
  externalToken,
  giftCard,
  merchantInitiated,
  networkToken,
  proof,
  shownCard,
  shownDevice,
  shownAccountsOf,
  terminalParameters,
  tokenAccount,
  cardWithoutBrand,
  virtualAccount,
} from '../testing/sample-accounts.ts'
import { sandboxIds } from '../directory/sandbox.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { pay, register, payWith, followUp } = accountRequests(tollgate)
const { send, gateway } = tollgate

interface Account {
  readonly name: string
  readonly form: Parameters
  /** The masked account in an answer. */
  readonly shown: Readonly<Record<string, unknown>>
  readonly method: 'CC' | 'VA' | 'WA'
  /** The detected brand, if none is sent. */
  readonly detected?: string
  /** Whether the number is encrypted for the acquirer, so that it cannot be stored. */
  readonly isEncrypted?: true
}

const accounts: readonly Account[] = [
  {
    name: 'a virtual account',
    form: virtualAccount,
    shown: { virtualAccount: { accountId: '***mple' } },
    method: 'VA',
  },
  {
    name: 'a virtual account with the longest id',
    form: { ...virtualAccount, 'virtualAccount.accountId': '𝄞'.repeat(100) },
    shown: { virtualAccount: { accountId: '***𝄞𝄞𝄞𝄞' } },
    method: 'VA',
  },
  {
    name: 'a virtual account whose id is too short to show',
    form: { ...virtualAccount, 'virtualAccount.accountId': '𝄞'.repeat(7) },
    shown: { virtualAccount: { accountId: '***' } },
    method: 'VA',
  },
  {
    name: 'a network token',
    form: networkToken,
    shown: { tokenAccount: { last4Digits: '0007', expiryMonth: '05', expiryYear: '2034', type: 'NETWORK' } },
    method: 'CC',
  },
  {
    name: 'the token of another provider',
    form: { ...externalToken, 'tokenAccount.expiryMonth': undefined, 'tokenAccount.expiryYear': undefined },
    shown: { tokenAccount: { last4Digits: '0008', type: 'EXTERNAL' } },
    method: 'CC',
  },
  {
    name: 'a gift card',
    form: giftCard,
    shown: { giftCard: { last4Digits: '0012', holder: 'Jane Jones', message: 'Enjoy', type: 'BIRTHDAY' } },
    method: 'VA',
  },
  {
    name: 'a device account number',
    form: { ...card, ...deviceNumber, 'card.numberType': 'DPAN' },
    shown: { card: shownDevice },
    method: 'CC',
  },
  {
    name: 'a card with numberType PAN',
    form: { ...card, 'card.numberType': 'PAN' },
    shown: { card: { bin: '420000', last4Digits: '0000', ...shownCard, numberType: 'PAN' } },
    method: 'CC',
  },
  {
    name: 'walletA, as its own brand',
    form: {
      ...card,
      ...deviceNumber,
      ...proof,
      paymentBrand: 'APPLEPAY',
      'applePay.source': 'app',
      'applePay.cardNetwork': 'Visa',
      'applePay.cardType': 'debit',
    },
    shown: { card: shownDevice, walletA: { source: 'app', cardNetwork: 'Visa', cardType: 'debit' } },
    method: 'WA',
  },
  {
    name: 'walletB, as the brand of its card',
    form: { ...card, ...deviceNumber, ...proof, 'googlePay.source': 'web' },
    shown: { card: shownDevice, walletB: { source: 'web' } },
    method: 'CC',
  },
  {
    name: 'walletC, without a brand',
    form: { ...cardWithoutBrand, ...deviceNumber, ...proof, 'samsungPay.source': 'app' },
    detected: 'SAMSUNGPAY',
    shown: { card: shownDevice, walletC: { source: 'app' } },
    method: 'WA',
  },
  {
    name: 'a card number from a wallet',
    form: { ...cardWithoutBrand, ...proof, 'walletB.source': 'web', 'card.numberType': 'PAN' },
    detected: 'VISA',
    shown: {
      card: { bin: '420000', last4Digits: '0000', ...shownCard, numberType: 'PAN' },
      walletB: { source: 'web' },
    },
    method: 'CC',
  },
  {
    name: 'a card at a terminal',
    form: { ...card, ...terminalParameters },
    shown: { card: { bin: '420000', last4Digits: '0000', ...shownCard } },
    method: 'CC',
  },
  { name: 'a card that a terminal encrypted', form: encryptedCard, shown: {}, method: 'CC', isEncrypted: true },
]

describe.each(accounts)('$name', ({ form, shown, method, detected, isEncrypted }) => {
  const names = Object.keys(shown)
  const secrets = ['number', 'accountId', 'cryptogram', 'pin', 'data', 'iccDataRequest'].flatMap((field) =>
    Object.entries(form).flatMap(([name, value]) => (name.endsWith(`.${field}`) && value !== undefined ? [value] : [])),
  )

  test('is charged, and is masked in the answer and when the payment is read', async () => {
    const paid = await pay(form)
    expect(summary(paid)).toEqual(APPROVED)
    expect(shownAccountsOf(paid, names)).toEqual(shown)
    expect(paid.body).toMatchObject({ paymentBrand: detected ?? form.paymentBrand })
    expect(paid.body.brandResult).toBe(detected)
    expect(secrets.length).toBeGreaterThan(0)
    // An id may contain the four digits of a PIN by chance.
    const text = paid.text.replaceAll(/[0-9a-f]{32}/g, '')
    for (const secret of secrets) expect(text).not.toContain(secret)
    const read = await send('GET', `/v1/payments/${paid.body.id}`)
    expect(comparableBody(read)).toEqual(comparableBody(paid))
    const tree = await gateway.storage.treeOf(paid.body.id)
    expect(tree?.transactions[0]).toMatchObject({ method, brand: paid.body.paymentBrand })
  })

  test('is preauthorised, captured and refunded', async () => {
    const preauthorised = await pay(form, { paymentType: 'PA' })
    const captured = await followUp(preauthorised.body.id, 'CP')
    const refunded = await followUp(captured.body.id, 'RF')
    expect([preauthorised, captured, refunded].map(summary)).toEqual([APPROVED, APPROVED, APPROVED])
    const otherNames = names.filter((name) => !name.startsWith('wallet'))
    expect(shownAccountsOf(refunded, otherNames)).toEqual(
      Object.fromEntries(otherNames.map((name) => [name, shown[name]])),
    )
  })

  test('receives a payout', async () => {
    expect(summary(await pay(form, { paymentType: 'CD' }))).toEqual(APPROVED)
  })

  test(isEncrypted ? 'cannot be rebilled' : 'is rebilled', async () => {
    const { body } = await pay(form)
    expect(summary(await followUp(body.id, 'RB'))).toEqual(isEncrypted ? [400, '700.500.004'] : APPROVED)
  })

  if (isEncrypted) {
    test('has no stored number and cannot be registered', async () => {
      const paid = await pay(form)
      expect(await gateway.storage.account(paid.body.id)).toMatchObject({ sealed: null, fingerprint: null })
      expect(summary(await register(form))).toEqual([400, '100.150.100'])
      expect(summary(await pay(form, { createRegistration: 'true' }))).toEqual([400, '100.150.100'])
    })
    return
  }

  test('is registered, standalone or with a payment, and is charged until its registration is deleted', async () => {
    const standalone = await register(form)
    expect(summary(standalone)).toEqual(APPROVED)
    expect(shownAccountsOf(standalone, names)).toEqual(shown)
    const payment = await pay(form, { createRegistration: 'true' })
    for (const id of [standalone.body.id, payment.body.registrationId]) {
      expect(await gateway.storage.account(id)).toMatchObject({ sealed: expect.any(Uint8Array) })
      const paid = await payWith(id, merchantInitiated)
      expect(summary(paid)).toEqual(APPROVED)
      expect(paid.body).toMatchObject({ paymentBrand: payment.body.paymentBrand, registrationId: id })
    }
    expect(summary(await send('DELETE', `/v1/registrations/${standalone.body.id}`))).toEqual(APPROVED)
    expect(summary(await payWith(standalone.body.id))).toEqual([400, '100.150.202'])
  })
})

test.each<{ name: string; form: Parameters; changes?: Parameters; code: string; reason: string }>([
  {
    name: 'a shopper’s payment with a network token without a cryptogram',
    form: tokenAccount,
    code: '200.100.401',
    reason: 'cryptogram or its dtvc',
  },
  {
    name: 'a cryptogram that is not base64',
    form: { ...tokenAccount, 'tokenAccount.cryptogram': `${'A'.repeat(27)}=A` },
    code: '100.370.125',
    reason: 'base64',
  },
  {
    name: 'a network token with a wrong check digit',
    form: { ...networkToken, 'tokenAccount.number': '4895370000000008' },
    code: '100.100.101',
    reason: 'check digit',
  },
  {
    name: 'an expired token',
    form: { ...networkToken, 'tokenAccount.expiryMonth': '04', 'tokenAccount.expiryYear': '2026' },
    code: '100.100.303',
    reason: 'expired',
  },
  {
    name: 'a token with a brand that is not a card brand',
    form: { ...networkToken, paymentBrand: 'PAYPAL' },
    code: '100.100.501',
    reason: 'paymentBrand',
  },
  {
    name: 'a device account number with a wrong check digit',
    form: { ...card, 'card.number': '4895370000000008', 'card.numberType': 'DPAN' },
    code: '100.100.101',
    reason: 'check digit',
  },
  {
    name: 'an encrypted wallet token',
    form: { paymentBrand: 'GOOGLEPAY', 'walletB.paymentToken': '{}' },
    code: '600.200.201',
    reason: 'walletB.paymentToken',
  },
  {
    name: 'the brand of another wallet',
    form: { ...card, ...deviceNumber, ...proof, paymentBrand: 'GOOGLEPAY', 'walletA.source': 'web' },
    code: '100.100.501',
    reason: 'paymentBrand',
  },
  {
    name: 'a wallet’s cryptogram that is not base64',
    form: {
      ...card,
      ...deviceNumber,
      'walletA.source': 'web',
      ...proof,
      'threeDSecure.verificationId': '?'.repeat(28),
    },
    code: '100.370.125',
    reason: 'threeDSecure.verificationId',
  },
  {
    name: 'an encrypted account of a terminal with a brand that is not a card brand',
    form: { ...encryptedCard, paymentBrand: 'PAYPAL' },
    code: '100.100.501',
    reason: 'paymentBrand',
  },
  {
    name: 'a payout with processing code FUNDING',
    form: card,
    changes: { paymentType: 'CD', transactionProcessingCode: 'FUNDING' },
    code: '600.200.310',
    reason: 'transactionProcessingCode',
  },
  {
    name: 'a debit with processing code PAYMENT',
    form: card,
    changes: { transactionProcessingCode: 'PAYMENT' },
    code: '600.200.310',
    reason: 'transactionProcessingCode',
  },
])('$name is refused', async ({ form, changes, code, reason }) => {
  const refused = await pay(form, changes)
  expect(summary(refused)).toEqual([400, code])
  expect(refused.body.resultDetails.ExtendedDescription).toContain(reason)
  expect(comparableBody(await send('GET', `/v1/payments/${refused.body.id}`))).toEqual(comparableBody(refused))
})

test.each<{ name: string; form: Parameters; names: readonly string[] }>([
  { name: 'a token without brand', form: { ...networkToken, paymentBrand: undefined }, names: ['paymentBrand'] },
  { name: 'a gift card without number', form: { paymentBrand: 'HEB_GIFT_CARD' }, names: ['giftCard.number'] },
  { name: 'a terminal without a card', form: terminalParameters, names: ['paymentBrand'] },
  {
    name: 'a terminal with only a card brand',
    form: { ...terminalParameters, paymentBrand: 'VISA' },
    names: ['card.number', 'card.expiryMonth', 'card.expiryYear'],
  },
])('$name is a parameter error', async ({ form, names }) => {
  const answer = await pay(form)
  expect(summary(answer)).toEqual([400, '200.300.404'])
  expect(answer.body.result.parameterErrors.map(({ name }: { name: string }) => name)).toEqual(names)
})

describe('in a request with several accounts', () => {
  test.each<{ name: string; form: Parameters; shown: string }>([
    {
      name: 'with brand PAYPAL, the virtual account and not the card',
      form: { ...card, ...virtualAccount },
      shown: 'virtualAccount',
    },
    {
      name: 'with brand HEB_GIFT_CARD, the gift card and not the card',
      form: { ...card, ...giftCard },
      shown: 'giftCard',
    },
    {
      name: 'with brand DIRECTDEBIT_SEPA, the bank account and not the card at a terminal',
      form: { ...card, ...terminalParameters, ...bankAccount },
      shown: 'bankAccount',
    },
    { name: 'with brand VISA, the token and not the card', form: { ...card, ...networkToken }, shown: 'tokenAccount' },
    {
      name: 'with parameters of a terminal, the token',
      form: { ...networkToken, ...terminalParameters },
      shown: 'tokenAccount',
    },
    { name: 'with brand VISA, the card and not the gift card', form: { ...giftCard, ...card }, shown: 'card' },
    {
      name: 'with brand VISA, the card and not the virtual account',
      form: { ...virtualAccount, ...card },
      shown: 'card',
    },
  ])('$name is charged, in any order of the parameters', async ({ form, shown }) => {
    for (const order of [Object.entries(form), Object.entries(form).toReversed()]) {
      const paid = await pay(Object.fromEntries(order))
      expect(summary(paid)).toEqual(APPROVED)
      const structures = ['card', 'virtualAccount', 'tokenAccount', 'giftCard', 'bankAccount']
      expect(structures.filter((name) => paid.body[name]?.last4Digits ?? paid.body[name]?.accountId)).toEqual([shown])
    }
  })

  test('a gift card that is not charged is only echoed', async () => {
    const { body, text } = await pay({ ...giftCard, ...card })
    expect(body.giftCard).toEqual({ holder: 'Jane Jones', message: 'Enjoy', type: 'BIRTHDAY' })
    expect(text.match(/"giftCard":/g)).toHaveLength(1)
  })

  test('the answer to a refund of a gift card contains the gift card once', async () => {
    const { body } = await pay(giftCard)
    const changes = { ...money, paymentType: 'RF', 'giftCard.message': 'Sorry' }
    const { text } = await send('POST', `/v1/payments/${body.id}`, changes)
    expect(text.match(/"giftCard":/g)).toHaveLength(1)
  })
})

describe('on a channel with threeDSecure=always', () => {
  const onSecureChannel = { entityId: sandboxIds.secureChannel }
  const refusalOf = async (form: Parameters) => {
    const { status, body } = await pay(form, onSecureChannel)
    return [status, body.result.code, body.resultDetails.ExtendedDescription]
  }

  test('a payment at a terminal is accepted only if the channel is a point of sale', async () => {
    const setPointOfSale = (pointOfSale: boolean | null) =>
      tollgate.manage('PATCH', `/entities/${sandboxIds.secureChannel}`, { settings: { pointOfSale } })
    for (const form of [{ ...card, ...terminalParameters }, encryptedCard]) {
      await setPointOfSale(null)
      expect(await refusalOf(form)).toEqual([400, '600.200.201', expect.stringContaining('pointOfSale')])
      await setPointOfSale(true)
      expect(summary(await pay(form, onSecureChannel))).toEqual(APPROVED)
      expect(await refusalOf(card)).toEqual([400, '600.200.201', expect.stringContaining('threeDSecure.eci')])
    }
    await setPointOfSale(null)
  })

  test('a token needs 3-D Secure like a card, unless the payment is merchant-initiated', async () => {
    for (const form of [networkToken, externalToken]) {
      expect(await refusalOf(form)).toEqual([400, '600.200.201', expect.stringContaining('threeDSecure.eci')])
      expect(summary(await pay({ ...form, ...proof }, onSecureChannel))).toEqual(APPROVED)
      expect(summary(await pay({ ...form, ...merchantInitiated }, onSecureChannel))).toEqual(APPROVED)
    }
  })

  test('an account of another kind is not authenticated', async () => {
    expect(summary(await pay(virtualAccount, onSecureChannel))).toEqual(APPROVED)
    expect(summary(await pay(giftCard, onSecureChannel))).toEqual(APPROVED)
  })
})
