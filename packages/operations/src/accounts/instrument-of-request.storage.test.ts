import { afterAll, describe, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { lasting, type Parameters, summary, type TestAnswer, testGateway } from '@tollgate/gateway/testing'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, gateway } = tollgate

const money = { amount: '92.00', currency: 'EUR' }
const pay = (account: Parameters, changes: Parameters = {}) =>
  send('POST', '/v1/payments', { ...money, paymentType: 'DB', ...account, ...changes })
const register = (account: Parameters) => send('POST', '/v1/registrations', account)
const payWith = (id: string, changes: Parameters = {}) =>
  send('POST', `/v1/registrations/${id}/payments`, { ...money, paymentType: 'DB', ...changes })
const refer = (id: string, paymentType: string) => send('POST', `/v1/payments/${id}`, { ...money, paymentType })
const APPROVED = [200, '000.100.110']

const unnamedCard = {
  'card.number': '4200000000000000',
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
}
const card = { ...unnamedCard, paymentBrand: 'VISA' }
const merchantInitiated = {
  'standingInstruction.type': 'UNSCHEDULED',
  'standingInstruction.mode': 'REPEATED',
  'standingInstruction.source': 'MIT',
  'standingInstruction.initialTransactionId': '123456789012345',
}
const cryptogram = 'AgAAAAAABk4DWZ4C28yUQAAAAAA='
const proof = { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=' }
const virtual = { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'shopper@wallet.example' }
const token = {
  paymentBrand: 'VISA',
  'tokenAccount.number': '4895370000000007',
  'tokenAccount.type': 'NETWORK',
  'tokenAccount.expiryMonth': '05',
  'tokenAccount.expiryYear': '2034',
}
const networkToken = { ...token, 'tokenAccount.cryptogram': cryptogram }
const externalToken = { ...token, 'tokenAccount.number': '4895370000000008', 'tokenAccount.type': 'EXTERNAL' }
const giftCard = {
  paymentBrand: 'HEB_GIFT_CARD',
  'giftCard.number': '6006490000000012',
  'giftCard.pin': '1234',
  'giftCard.holder': 'Jane Jones',
  'giftCard.message': 'Enjoy',
  'giftCard.type': 'BIRTHDAY',
}
const bank = {
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Jane Jones',
  'bankAccount.iban': 'DE89370400440532013000',
  'bankAccount.mandate.id': 'MANDATE-A',
  'bankAccount.mandate.dateOfSignature': '2026-05-04',
}
const device = { 'card.number': '4895370000000007', 'card.cvv': undefined }
const terminal = { 'pos.entryMode': 'ICC', 'pos.terminalId': '42' }
const encryptedCard = {
  paymentBrand: 'VISA',
  ...terminal,
  'pos.encryptedSred.data': 'E5ED1C0DE5ED1C0D',
  'pos.encryptedSred.ksn': 'FFFF9876543210E00001',
  'pos.encryptedPin.data': 'D1A1D1A1D1A1D1A1',
  'pos.encryptedPin.ksn': 'FFFF9876543210E00001',
  'pos.iccDataRequest': '9F2608C0FFEE00C0FFEE00',
}
const shownCard = { holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' }
const shownDevice = { last4Digits: '0007', ...shownCard, numberType: 'DPAN' }

interface Account {
  readonly what: string
  readonly form: Parameters
  /** What answers show of it. */
  readonly shown: Readonly<Record<string, unknown>>
  readonly method: 'CC' | 'VA' | 'WA'
  /** The brand, where it is not sent. */
  readonly detected?: string
  /** Where its number is not ours to keep. */
  readonly unsealed?: true
}

const accounts: readonly Account[] = [
  { what: 'a virtual account', form: virtual, shown: { virtualAccount: { accountId: '***mple' } }, method: 'VA' },
  {
    what: 'the longest virtual account',
    form: { ...virtual, 'virtualAccount.accountId': '𝄞'.repeat(100) },
    shown: { virtualAccount: { accountId: '***𝄞𝄞𝄞𝄞' } },
    method: 'VA',
  },
  {
    what: 'a virtual account too short to show',
    form: { ...virtual, 'virtualAccount.accountId': '𝄞'.repeat(7) },
    shown: { virtualAccount: { accountId: '***' } },
    method: 'VA',
  },
  {
    what: 'a network token',
    form: networkToken,
    shown: { tokenAccount: { last4Digits: '0007', expiryMonth: '05', expiryYear: '2034', type: 'NETWORK' } },
    method: 'CC',
  },
  {
    what: 'the token of another provider',
    form: { ...externalToken, 'tokenAccount.expiryMonth': undefined, 'tokenAccount.expiryYear': undefined },
    shown: { tokenAccount: { last4Digits: '0008', type: 'EXTERNAL' } },
    method: 'CC',
  },
  {
    what: 'a gift card',
    form: giftCard,
    shown: { giftCard: { last4Digits: '0012', holder: 'Jane Jones', message: 'Enjoy', type: 'BIRTHDAY' } },
    method: 'VA',
  },
  {
    what: 'the number of a device',
    form: { ...card, ...device, 'card.numberType': 'DPAN' },
    shown: { card: shownDevice },
    method: 'CC',
  },
  {
    what: 'a card that says that it is one',
    form: { ...card, 'card.numberType': 'PAN' },
    shown: { card: { bin: '420000', last4Digits: '0000', ...shownCard, numberType: 'PAN' } },
    method: 'CC',
  },
  {
    what: 'walletA, as its own brand',
    form: {
      ...card,
      ...device,
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
    what: 'walletB, as the card in it',
    form: { ...card, ...device, ...proof, 'googlePay.source': 'web' },
    shown: { card: shownDevice, walletB: { source: 'web' } },
    method: 'CC',
  },
  {
    what: 'walletC, as no brand',
    form: { ...unnamedCard, ...device, ...proof, 'samsungPay.source': 'app' },
    detected: 'SAMSUNGPAY',
    shown: { card: shownDevice, walletC: { source: 'app' } },
    method: 'WA',
  },
  {
    what: 'the card itself out of a wallet',
    form: { ...unnamedCard, ...proof, 'walletB.source': 'web', 'card.numberType': 'PAN' },
    detected: 'VISA',
    shown: {
      card: { bin: '420000', last4Digits: '0000', ...shownCard, numberType: 'PAN' },
      walletB: { source: 'web' },
    },
    method: 'CC',
  },
  {
    what: 'a card at a terminal',
    form: { ...card, ...terminal },
    shown: { card: { bin: '420000', last4Digits: '0000', ...shownCard } },
    method: 'CC',
  },
  { what: 'a card that a terminal encrypted', form: encryptedCard, shown: {}, method: 'CC', unsealed: true },
]

/** Without what an acquirer tells about the issuer. */
function shownOf({ body }: TestAnswer, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    names.map((name) => {
      const { issuer: _issuer, level: _level, regulatedFlag: _flag, ...rest } = body[name]
      if (name === 'card') delete rest.type
      return [name, rest]
    }),
  )
}

describe.each(accounts)('$what', ({ form, shown, method, detected, unsealed }) => {
  const names = Object.keys(shown)
  const secrets = ['number', 'accountId', 'cryptogram', 'pin', 'data', 'iccDataRequest'].flatMap((word) =>
    Object.entries(form).flatMap(([name, value]) => (name.endsWith(`.${word}`) && value !== undefined ? [value] : [])),
  )

  test('pays, and is shown now and whenever the payment is read', async () => {
    const paid = await pay(form)
    expect(summary(paid)).toEqual(APPROVED)
    expect(shownOf(paid, names)).toEqual(shown)
    expect(paid.body).toMatchObject({ paymentBrand: detected ?? form.paymentBrand })
    expect(paid.body.brandResult).toBe(detected)
    expect(secrets.length).toBeGreaterThan(0)
    // An id may hold the four digits of a PIN by chance.
    const told = paid.text.replaceAll(/[0-9a-f]{32}/g, '')
    for (const secret of secrets) expect(told).not.toContain(secret)
    const read = await send('GET', `/v1/payments/${paid.body.id}`)
    expect(lasting(read)).toEqual(lasting(paid))
    const tree = await gateway.storage.treeOf(paid.body.id)
    expect(tree?.transactions[0]).toMatchObject({ method, brand: paid.body.paymentBrand })
  })

  test('is held, captured and refunded', async () => {
    const held = await pay(form, { paymentType: 'PA' })
    const captured = await refer(held.body.id, 'CP')
    const refunded = await refer(captured.body.id, 'RF')
    expect([held, captured, refunded].map(summary)).toEqual([APPROVED, APPROVED, APPROVED])
    const own = names.filter((name) => !name.startsWith('wallet'))
    expect(shownOf(refunded, own)).toEqual(Object.fromEntries(own.map((name) => [name, shown[name]])))
  })

  test('is paid out to', async () => {
    expect(summary(await pay(form, { paymentType: 'CD' }))).toEqual(APPROVED)
  })

  test('is debited again for the same payment, where it is kept', async () => {
    const { body } = await pay(form)
    expect(summary(await refer(body.id, 'RB'))).toEqual(unsealed ? [400, '700.500.004'] : APPROVED)
  })

  if (unsealed) {
    test('keeps nothing, and cannot be registered', async () => {
      const paid = await pay(form)
      expect(await gateway.storage.account(paid.body.id)).toMatchObject({ sealed: null, fingerprint: null })
      expect(summary(await register(form))).toEqual([400, '100.150.100'])
      expect(summary(await pay(form, { createRegistration: 'true' }))).toEqual([400, '100.150.100'])
    })
    return
  }

  test('is sealed, and registered, alone or along with a payment, and pays again', async () => {
    const alone = await register(form)
    expect(summary(alone)).toEqual(APPROVED)
    expect(shownOf(alone, names)).toEqual(shown)
    const along = await pay(form, { createRegistration: 'true' })
    for (const id of [alone.body.id, along.body.registrationId]) {
      expect(await gateway.storage.account(id)).toMatchObject({ sealed: expect.any(Uint8Array) })
      const paid = await payWith(id, merchantInitiated)
      expect(summary(paid)).toEqual(APPROVED)
      expect(paid.body).toMatchObject({ paymentBrand: along.body.paymentBrand, registrationId: id })
    }
    expect(summary(await send('DELETE', `/v1/registrations/${alone.body.id}`))).toEqual(APPROVED)
    expect(summary(await payWith(alone.body.id))).toEqual([400, '100.150.202'])
  })
})

test.each<{ what: string; form: Parameters; changes?: Parameters; code: string; reason: string }>([
  {
    what: 'the shopper pays with a network token that nothing proves',
    form: token,
    code: '200.100.401',
    reason: 'cryptogram or its dtvc',
  },
  {
    what: 'the cryptogram is no base64',
    form: { ...token, 'tokenAccount.cryptogram': `${'A'.repeat(27)}=A` },
    code: '100.370.125',
    reason: 'base64',
  },
  {
    what: 'the network token has a wrong check digit',
    form: { ...networkToken, 'tokenAccount.number': '4895370000000008' },
    code: '100.100.101',
    reason: 'check digit',
  },
  {
    what: 'the token has expired',
    form: { ...networkToken, 'tokenAccount.expiryMonth': '04', 'tokenAccount.expiryYear': '2026' },
    code: '100.100.303',
    reason: 'expired',
  },
  {
    what: 'the brand of a token is no card',
    form: { ...networkToken, paymentBrand: 'PAYPAL' },
    code: '100.100.501',
    reason: 'paymentBrand',
  },
  {
    what: 'the number of a device has a wrong check digit',
    form: { ...card, 'card.number': '4895370000000008', 'card.numberType': 'DPAN' },
    code: '100.100.101',
    reason: 'check digit',
  },
  {
    what: 'the token of a wallet is encrypted',
    form: { paymentBrand: 'GOOGLEPAY', 'walletB.paymentToken': '{}' },
    code: '600.200.201',
    reason: 'walletB.paymentToken',
  },
  {
    what: 'the brand is that of another wallet',
    form: { ...card, ...device, ...proof, paymentBrand: 'GOOGLEPAY', 'walletA.source': 'web' },
    code: '100.100.501',
    reason: 'paymentBrand',
  },
  {
    what: 'the cryptogram of a wallet is no base64',
    form: { ...card, ...device, 'walletA.source': 'web', ...proof, 'threeDSecure.verificationId': '?'.repeat(28) },
    code: '100.370.125',
    reason: 'threeDSecure.verificationId',
  },
  {
    what: 'a terminal encrypted what is no card',
    form: { ...encryptedCard, paymentBrand: 'PAYPAL' },
    code: '100.100.501',
    reason: 'paymentBrand',
  },
  {
    what: 'money is funded by a payout',
    form: card,
    changes: { paymentType: 'CD', transactionProcessingCode: 'FUNDING' },
    code: '600.200.310',
    reason: 'transactionProcessingCode',
  },
  {
    what: 'a debit is to be paid out',
    form: card,
    changes: { transactionProcessingCode: 'PAYMENT' },
    code: '600.200.310',
    reason: 'transactionProcessingCode',
  },
])('refused: $what', async ({ form, changes, code, reason }) => {
  const refused = await pay(form, changes)
  expect(summary(refused)).toEqual([400, code])
  expect(refused.body.resultDetails.ExtendedDescription).toContain(reason)
  expect(lasting(await send('GET', `/v1/payments/${refused.body.id}`))).toEqual(lasting(refused))
})

test.each<{ what: string; form: Parameters; names: readonly string[] }>([
  { what: 'a token without brand', form: { ...networkToken, paymentBrand: undefined }, names: ['paymentBrand'] },
  { what: 'a gift card without number', form: { paymentBrand: 'HEB_GIFT_CARD' }, names: ['giftCard.number'] },
  { what: 'a terminal without a card', form: terminal, names: ['paymentBrand'] },
  {
    what: 'a terminal with the name of a card',
    form: { ...terminal, paymentBrand: 'VISA' },
    names: ['card.number', 'card.expiryMonth', 'card.expiryYear'],
  },
])('wrong: $what', async ({ form, names }) => {
  const wrong = await pay(form)
  expect(summary(wrong)).toEqual([400, '200.300.404'])
  expect(wrong.body.result.parameterErrors.map(({ name }: { name: string }) => name)).toEqual(names)
})

describe('of several accounts', () => {
  test.each<{ what: string; form: Parameters; shown: string }>([
    { what: 'a virtual account, whatever else was sent', form: { ...card, ...virtual }, shown: 'virtualAccount' },
    { what: 'a gift card by its brand', form: { ...card, ...giftCard }, shown: 'giftCard' },
    { what: 'a bank account by its brand', form: { ...card, ...terminal, ...bank }, shown: 'bankAccount' },
    { what: 'a token before a card', form: { ...card, ...networkToken }, shown: 'tokenAccount' },
    { what: 'a token at a terminal', form: { ...networkToken, ...terminal }, shown: 'tokenAccount' },
    { what: 'a card before a gift card', form: { ...giftCard, ...card }, shown: 'card' },
    { what: 'a card before a virtual account', form: { ...virtual, ...card }, shown: 'card' },
  ])('$what pays', async ({ form, shown }) => {
    for (const order of [Object.entries(form), Object.entries(form).toReversed()]) {
      const paid = await pay(Object.fromEntries(order))
      expect(summary(paid)).toEqual(APPROVED)
      const structures = ['card', 'virtualAccount', 'tokenAccount', 'giftCard', 'bankAccount']
      expect(structures.filter((name) => paid.body[name]?.last4Digits ?? paid.body[name]?.accountId)).toEqual([shown])
    }
  })

  test('a gift card beside the account that pays is data', async () => {
    const { body, text } = await pay({ ...giftCard, ...card })
    expect(body.giftCard).toEqual({ holder: 'Jane Jones', message: 'Enjoy', type: 'BIRTHDAY' })
    expect(text.match(/"giftCard":/g)).toHaveLength(1)
  })

  test('a gift card that is referred to stands once, too', async () => {
    const { body } = await pay(giftCard)
    const changes = { ...money, paymentType: 'RF', 'giftCard.message': 'Sorry' }
    const { text } = await send('POST', `/v1/payments/${body.id}`, changes)
    expect(text.match(/"giftCard":/g)).toHaveLength(1)
  })
})

describe('stored', () => {
  test('a network token needs its cryptogram or dtvc when the shopper pays, but not for the merchant', async () => {
    const { body } = await register(token)
    expect(summary(await payWith(body.id))).toEqual([400, '200.100.401'])
    expect(summary(await payWith(body.id, { 'tokenAccount.cryptogram': cryptogram }))).toEqual(APPROVED)
    const byDtvc = await payWith(body.id, { 'tokenAccount.dtvc': '123' })
    expect(summary(byDtvc)).toEqual(APPROVED)
    expect(byDtvc.body.result.cvvResponse).toBe('M')
    expect(summary(await payWith(body.id, merchantInitiated))).toEqual(APPROVED)
  })

  test.each<{ what: string; form: Parameters; brand: string; code: string }>([
    { what: 'a virtual account', form: virtual, brand: 'BITCOIN', code: '100.210.102' },
    { what: 'a gift card', form: giftCard, brand: 'PETCO_GIFT_CARD', code: '100.210.102' },
    { what: 'a bank account', form: bank, brand: 'CLIQ', code: '600.200.500' },
    { what: 'a token', form: token, brand: 'MASTER', code: '100.100.700' },
    { what: 'a device', form: { ...card, ...device, 'card.numberType': 'DPAN' }, brand: 'MASTER', code: '100.100.700' },
  ])('$what pays as the brand that it was stored with, and no other', async ({ form, brand, code }) => {
    const { body } = await register(form)
    const other = await payWith(body.id, { paymentBrand: brand, ...merchantInitiated })
    expect(summary(other)).toEqual([400, code])
    const same = await payWith(body.id, { paymentBrand: form.paymentBrand, ...merchantInitiated })
    expect(summary(same)).toEqual(APPROVED)
  })
})

describe('the whole life of a stored account', () => {
  const kinds: readonly { what: string; form: Parameters; update: Parameters; shown: object }[] = [
    {
      what: 'a virtual account',
      form: virtual,
      update: { 'virtualAccount.accountId': 'somebody@else.test' },
      shown: { virtualAccount: { accountId: '***test' } },
    },
    {
      what: 'a network token',
      form: token,
      update: { 'tokenAccount.number': '4895370000000114', 'tokenAccount.expiryYear': '2035' },
      shown: { tokenAccount: { last4Digits: '0114', expiryMonth: '05', expiryYear: '2035', type: 'NETWORK' } },
    },
    {
      what: 'the number of a device',
      form: { ...card, ...device, 'card.numberType': 'DPAN' },
      update: { 'card.number': '4895370000000114', 'card.holder': 'Jo Jones' },
      shown: { card: { ...shownDevice, last4Digits: '0114', holder: 'Jo Jones' } },
    },
    {
      what: 'a gift card',
      form: giftCard,
      update: { 'giftCard.number': '6006490000999999', 'giftCard.message': 'Again' },
      shown: { giftCard: { last4Digits: '9999', holder: 'Jane Jones', message: 'Again' } },
    },
  ]

  test.each(kinds)('$what: stored, paid with, updated, extended, deleted', async ({ form, update, shown }) => {
    const { body: stored } = await register(form)
    const path = `/v1/registrations/${stored.id}`
    const paid = await payWith(stored.id, merchantInitiated)
    const updated = await send('POST', path, update)
    expect(updated.body).toMatchObject({ paymentType: 'RR', paymentBrand: form['paymentBrand'] })
    for (const answer of [updated, await send('GET', path)]) {
      expect(summary(answer)).toEqual(APPROVED)
      expect(shownOf(answer, Object.keys(shown))).toMatchObject(shown)
      for (const name of Object.keys(shown)) expect(answer.text.split(`"${name}":`)).toHaveLength(2)
    }
    const again = await payWith(stored.id, merchantInitiated)
    expect(shownOf(again, Object.keys(shown))).not.toEqual(shownOf(paid, Object.keys(shown)))
    const ended = [await send('POST', `${path}/extendlife`), await send('DELETE', path)]
    const refunded = [await refer(paid.body.id, 'RF'), await refer(again.body.id, 'RF')]
    expect([paid, again, ...ended, ...refunded].map(summary)).toEqual(Array.from({ length: 6 }, () => APPROVED))
    const account = await gateway.storage.account(updated.body.id)
    expect(account).toMatchObject({ sealed: null, wrapped_key: null, key_id: null })
  })

  test.each([
    { what: 'a token', form: token, update: { ...token, paymentBrand: 'MASTER' }, code: '100.100.700' },
    { what: 'a gift card', form: giftCard, update: { ...giftCard, paymentBrand: 'VISA' }, code: '100.210.102' },
    { what: 'a virtual account', form: virtual, update: { ...virtual, paymentBrand: 'BITCOIN' }, code: '100.210.102' },
  ])('$what does not become one of another brand', async ({ form, update, code }) => {
    const { body } = await register(form)
    expect(summary(await send('POST', `/v1/registrations/${body.id}`, update))).toEqual([400, code])
  })

  test('a card may become one of another brand, which its number tells', async () => {
    const { body } = await register(card)
    const updated = await send('POST', `/v1/registrations/${body.id}`, { 'card.number': '5454545454545454' })
    expect(updated.body).toMatchObject({ paymentBrand: 'MASTER', card: { bin: '545454' } })
  })
})

describe('an agreement that was made elsewhere', () => {
  const charge = { ...merchantInitiated, 'standingInstruction.initialTransactionId': undefined }
  const migrated = { 'recurringMigration.paymentType': 'DB', 'recurringMigration.amount': '10.00' }

  test.each([
    { what: 'the first reference', references: { 1: 'A', 2: 'B', 3: 'C' }, expected: 'A' },
    { what: 'the only reference', references: { 3: 'C' }, expected: 'C' },
  ])('is charged under $what of the migration', async ({ references, expected }) => {
    const sent = Object.entries(references).map(([at, id]) => [`recurringMigration.connectorTxId${at}`, id])
    const stored = await register({ ...card, ...migrated, ...Object.fromEntries(sent) })
    expect(stored.body.recurringMigration).toMatchObject({ paymentType: 'DB', amount: '10.00' })
    const read = await send('GET', `/v1/registrations/${stored.body.id}`)
    expect(read.body.resultDetails.CardholderInitiatedTransactionID).toBe(expected)
    const charged = await payWith(stored.body.id, charge)
    expect(summary(charged)).toEqual(APPROVED)
    const tree = await gateway.storage.treeOf(charged.body.id)
    expect(tree?.transactions[0]?.initial_transaction_id).toBe(expected)
  })

  test('may be stored with the very instruction that its charges bear', async () => {
    const stored = { ...card, 'card.cvv': undefined, ...migrated, ...charge }
    expect(summary(await register({ ...stored, 'recurringMigration.connectorTxId1': 'A' }))).toEqual(APPROVED)
    expect(summary(await register(stored))).toEqual([400, '600.200.501'])
  })

  test.each<{ what: string; sent: Parameters }>([
    { what: 'without any', sent: {} },
    {
      what: 'under a payout',
      sent: { 'recurringMigration.paymentType': 'CD', 'recurringMigration.connectorTxId1': 'A' },
    },
  ])('cannot be charged $what', async ({ sent }) => {
    const stored = await register({ ...card, ...migrated, ...sent })
    expect(summary(await payWith(stored.body.id, charge))).toEqual([400, '600.200.501'])
  })
})

describe('a terminal', () => {
  const fields = {
    clearing: {
      authorizationAcquirerCode: '00',
      authorizationIssuerCode: expect.stringMatching(/^[0-9A-Z]{6}$/),
      identifier: expect.stringMatching(/^\d{12}$/),
    },
    merchantId: 'TOLLGATE0000001',
    statusText: expect.stringMatching(/^AUTHCODE[0-9A-Z]{6}$/),
    timestamp: '2026-05-04 03:02:01',
  }

  test.each(['MANUAL', 'MAGSTRIPE', 'MAGSTRIPE_AS_FALLBACK', 'ICC', 'NFC_ICC', 'NFC_MAGSTRIPE'])(
    'is told what it prints and gives back: %s',
    async (entryMode) => {
      const { body } = await pay({ ...card, ...terminal, 'pos.entryMode': entryMode })
      expect(body.pos).toEqual(fields)
      expect(body.pos.statusText).toBe(`AUTHCODE${body.resultDetails.AuthCode}`)
    },
  )

  test('gets the answer for the chip where it sent the chip’s data', async () => {
    const { body } = await pay(encryptedCard)
    const iccDataResponse = expect.stringMatching(/^8A023030910A[0-9A-F]{16}3030$/)
    expect(body.pos).toEqual({ ...fields, iccDataResponse })
  })

  test('is told of a decline, and of a refund', async () => {
    const declined = await pay({ ...card, ...terminal }, { amount: '88805.00' })
    expect(declined.body.pos).toMatchObject({
      clearing: { authorizationAcquirerCode: '05' },
      statusText: 'NOTAUTHORISED',
    })
    const { body } = await pay({ ...card, ...terminal })
    const refund = { ...money, ...terminal, paymentType: 'RF' }
    expect((await send('POST', `/v1/payments/${body.id}`, refund)).body.pos).toEqual({
      ...fields,
      clearing: { authorizationAcquirerCode: '00', identifier: expect.stringMatching(/^\d{12}$/) },
      statusText: 'APPROVED',
    })
  })
})

test('a terminal whose card is verified to be stored is told of it', async () => {
  const { status, body } = await register({ ...card, ...terminal, amount: '0.00', currency: 'EUR' })
  expect([status, body.pos.clearing.authorizationAcquirerCode]).toEqual([200, '85'])
  expect(body.pos.statusText).toBe(`AUTHCODE${body.resultDetails.AuthCode}`)
  expect((await register({ ...card, ...terminal })).body).not.toHaveProperty('pos')
})

describe('on a channel with 3-D Secure always', () => {
  const secure = { entityId: sandboxIds.secureChannel }
  const refused = async (form: Parameters) => {
    const { status, body } = await pay(form, secure)
    return [status, body.result.code, body.resultDetails.ExtendedDescription]
  }

  test('a terminal is believed only where the channel is set to take terminals', async () => {
    const set = (pointOfSale: boolean | null) =>
      tollgate.manage('PATCH', `/entities/${sandboxIds.secureChannel}`, { settings: { pointOfSale } })
    for (const form of [{ ...card, ...terminal }, encryptedCard]) {
      await set(null)
      expect(await refused(form)).toEqual([400, '600.200.201', expect.stringContaining('pointOfSale')])
      await set(true)
      expect(summary(await pay(form, secure))).toEqual(APPROVED)
      expect(await refused(card)).toEqual([400, '600.200.201', expect.stringContaining('threeDSecure.eci')])
    }
    await set(null)
  })

  test('a token stands for a card', async () => {
    for (const form of [networkToken, externalToken]) {
      expect(await refused(form)).toEqual([400, '600.200.201', expect.stringContaining('threeDSecure.eci')])
      expect(summary(await pay({ ...form, ...proof }, secure))).toEqual(APPROVED)
      expect(summary(await pay({ ...form, ...merchantInitiated }, secure))).toEqual(APPROVED)
    }
  })

  test('nobody authenticates the holder of another account', async () => {
    expect(summary(await pay(virtual, secure))).toEqual(APPROVED)
    expect(summary(await pay(giftCard, secure))).toEqual(APPROVED)
  })
})

describe('the simulator', () => {
  test.each<{ what: string; form: Parameters; code: string; details?: object }>([
    {
      what: 'an empty virtual account',
      form: { ...virtual, 'virtualAccount.accountId': 'empty@wallet.example' },
      code: '800.100.155',
    },
    {
      what: 'a suspended token',
      form: { ...networkToken, 'tokenAccount.number': '4895370000000627' },
      code: '800.100.168',
    },
    {
      what: 'the cryptogram of another payment',
      form: { ...networkToken, 'tokenAccount.number': '4895370000000825' },
      code: '800.100.153',
      details: { MerchantAdviceCode: '04' },
    },
    { what: 'a wrong pin', form: { ...giftCard, 'giftCard.pin': '4321' }, code: '800.100.166' },
    {
      what: 'too small a gift card',
      form: { ...giftCard, 'giftCard.number': '6006490000000251' },
      code: '800.100.155',
      details: { AvailableBalance: '25.00' },
    },
  ])('declines $what', async ({ form, code, details = {} }) => {
    const declined = await pay(form)
    expect(summary(declined)).toEqual([400, code])
    expect(declined.body.resultDetails).toMatchObject(details)
  })

  test('pays out to a gift card more than is on it', async () => {
    const loaded = await pay({ ...giftCard, 'giftCard.number': '6006490000000251' }, { paymentType: 'CD' })
    expect([summary(loaded), loaded.body.amount]).toEqual([APPROVED, '92.00'])
  })

  test('the rest of what a gift card does not cover is paid by card, which says so', async () => {
    const part = await pay({ ...giftCard, 'giftCard.number': '6006490000000251' }, { amount: '25.00' })
    expect(summary(part)).toEqual(APPROVED)
    const rest = await pay(card, {
      amount: '67.00',
      'cart.payments[0].type': 'GIFTCARD',
      'cart.payments[0].amount': '25.00',
      'cart.payments[0].currency': 'EUR',
      'cart.payments[0].status': 'captured',
    })
    expect(summary(rest)).toEqual(APPROVED)
    expect(rest.body.cart.payments).toEqual([
      { type: 'GIFTCARD', amount: '25.00', currency: 'EUR', status: 'captured' },
    ])
  })

  test('says nothing of address, cvv and authorisation where no card network takes part', async () => {
    const address = { 'billing.street1': 'Main Street 1', 'billing.postcode': '10115' }
    for (const form of [virtual, giftCard]) {
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
