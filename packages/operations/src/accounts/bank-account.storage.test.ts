import { rejectingBankAccounts, testBankAccounts } from '@tollgate/connectors'
import { sepaRejectReasons } from '@tollgate/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { cardPayment, type Parameters, summary, testGateway } from '@tollgate/gateway/testing'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, gateway } = tollgate

const IBAN = 'NL91ABNA0417164300'
const MANDATE = { 'bankAccount.mandate.id': 'MANDATE-A', 'bankAccount.mandate.dateOfSignature': '2026-05-04' }
const ACCOUNT: Parameters = {
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Jane Jones',
  'bankAccount.iban': IBAN,
}
const MONEY: Parameters = { amount: '92.00', currency: 'EUR', paymentType: 'DB' }
const WITHOUT_MANDATE = {
  'bankAccount.mandate.id': undefined,
  'bankAccount.mandate.dateOfSignature': undefined,
}

const debit = (changes: Parameters = {}) =>
  send('POST', '/v1/payments', { ...ACCOUNT, ...MANDATE, ...MONEY, ...changes })
const register = (changes: Parameters = {}) => send('POST', '/v1/registrations', { ...ACCOUNT, ...MANDATE, ...changes })
const payWith = (id: string, changes: Parameters = {}) =>
  send('POST', `/v1/registrations/${id}/payments`, { ...MONEY, ...changes })
const followUp = (id: string, paymentType: string, changes: Parameters = {}) =>
  send('POST', `/v1/payments/${id}`, { paymentType, ...changes })
const read = async (id: string) => (await send('GET', `/v1/payments/${id}`)).body

/** The decrypted account number of a payment or registration; undefined: no number is stored. */
async function storedNumber(id: string): Promise<string | undefined> {
  const account = await gateway.storage.account(id)
  const { sealed, wrapped_key: wrappedKey, key_id: keyId, merchant } = account ?? {}
  if (!sealed || !wrappedKey || !keyId || merchant === undefined) return undefined
  return gateway.vault
    .unseal({ sealed, wrappedKey, keyId }, { id, merchant })
    .use((bytes) => Buffer.from(bytes).toString('latin1'))
}

describe('a direct debit', () => {
  test('is accepted, and the answer contains the account in one structure', async () => {
    const sent = { 'bankAccount.bic': 'abnanl2a', 'bankAccount.bankName': 'ABN', transactionDueDate: '2026-05-20' }
    const paid = await debit(sent)
    expect(summary(paid)).toEqual([200, '000.100.110'])
    expect(paid.body).toMatchObject({
      paymentType: 'DB',
      paymentBrand: 'DIRECTDEBIT_SEPA',
      amount: '92.00',
      transactionDueDate: '2026-05-20',
    })
    const bankAccount = {
      last4Digits: '4300',
      holder: 'Jane Jones',
      bankName: 'ABN',
      bic: 'ABNANL2A',
      country: 'NL',
      mandate: { id: 'MANDATE-A', dateOfSignature: '2026-05-04' },
    }
    expect(paid.body.bankAccount).toEqual(bankAccount)
    expect(paid.body).not.toHaveProperty('card')
    expect(paid.text).not.toContain('ABNA0417')
    expect((await read(paid.body.id)).bankAccount).toEqual(bankAccount)
  })

  test('is stored under its method, with the IBAN sealed in upper case', async () => {
    const [lower, upper] = [await debit({ 'bankAccount.iban': IBAN.toLowerCase() }), await debit()]
    const accounts = await Promise.all([lower, upper].map(({ body }) => gateway.storage.account(body.id)))
    expect(accounts.map((account) => account?.kind)).toEqual(['bankAccount', 'bankAccount'])
    expect(accounts[0]?.fingerprint).toEqual(accounts[1]?.fingerprint)
    expect(await storedNumber(lower.body.id)).toBe(IBAN)
    const tree = await gateway.storage.treeOf(lower.body.id)
    expect(tree?.transactions[0]).toMatchObject({ method: 'DD', brand: 'DIRECTDEBIT_SEPA' })
  })

  test('accepts an IBAN as the number, and a national number with its bank code', async () => {
    const asNumber = await debit({
      'bankAccount.iban': undefined,
      'bankAccount.number': IBAN,
      'bankAccount.bic': 'ABNANL2A',
    })
    expect([summary(asNumber), asNumber.body.bankAccount.country]).toEqual([[200, '000.100.110'], 'NL'])
    const national = await debit({
      'bankAccount.iban': undefined,
      'bankAccount.number': '532013000',
      'bankAccount.bankCode': '37040044',
      'bankAccount.country': 'DE',
    })
    expect(summary(national)).toEqual([200, '000.100.110'])
    expect(national.body.bankAccount).toMatchObject({ last4Digits: '3000', bankCode: '37040044', country: 'DE' })
  })

  test('has an answer without the last digits of a short account number', async () => {
    const national = { 'bankAccount.iban': undefined, 'bankAccount.number': '1234567', 'bankAccount.bankCode': '1' }
    const { body } = await debit({ ...national, 'bankAccount.country': 'DE' })
    expect(body.result.code).toBe('000.100.110')
    expect(body.bankAccount).not.toHaveProperty('last4Digits')
  })

  test('can be reversed, or refunded in parts, but not captured; each approval contains the account', async () => {
    const [first, second] = [await debit(), await debit()]
    const reversed = await followUp(first.body.id, 'RV')
    const part = { amount: '46.00', currency: 'EUR' }
    const refunds = [await followUp(second.body.id, 'RF', part), await followUp(second.body.id, 'RF', part)]
    for (const answer of [reversed, ...refunds]) {
      expect(summary(answer)).toEqual([200, '000.100.110'])
      expect(answer.body.bankAccount).toEqual(first.body.bankAccount)
      expect(answer.body.resultDetails.AcquirerResponse).toBe('ACCP')
    }
    expect(summary(await followUp(second.body.id, 'RF', part))).toEqual([400, '700.400.200'])
    expect(summary(await followUp(second.body.id, 'CP', part))).toEqual([400, '700.400.510'])
  })

  test('can be rebilled under its mandate, and the bank can reject the rebill', async () => {
    const { body: first } = await debit()
    const money = { amount: '46.00', currency: 'EUR' }
    const rebilled = await followUp(first.id, 'RB', money)
    expect(summary(rebilled)).toEqual([200, '000.100.110'])
    expect(rebilled.body.bankAccount).toEqual(first.bankAccount)
    expect(await storedNumber(rebilled.body.id)).toBe(IBAN)
    expect(summary(await followUp(first.id, 'RB', { ...money, amount: '46.04' }))).toEqual([400, '800.100.203'])
  })

  test('needs no 3-D Secure', async () => {
    expect(summary(await debit({ entityId: sandboxIds.secureChannel }))).toEqual([200, '000.100.110'])
  })

  test.each(testBankAccounts)('of the test account $number is accepted', async ({ number }) => {
    expect(summary(await debit({ 'bankAccount.iban': number }))).toEqual([200, '000.100.110'])
  })

  test.each(rejectingBankAccounts)(
    'of the test account $number, or with the last two digits of that number as cents, is rejected: $reason',
    async ({ number, reason }) => {
      const { resultCode } = sepaRejectReasons[reason]
      const cents = number.slice(-2)
      for (const changes of [{ 'bankAccount.iban': number }, { amount: `92.${cents}` }]) {
        const { body, status } = await debit(changes)
        expect([status, body.result.code, body.resultDetails.AcquirerResponse]).toEqual([400, resultCode, reason])
        expect((await read(body.id)).result.code).toBe(resultCode)
      }
    },
  )
})

describe('a payout', () => {
  test('needs no mandate, and can be refunded', async () => {
    const paid = await debit({ paymentType: 'CD', ...WITHOUT_MANDATE })
    expect(summary(paid)).toEqual([200, '000.100.110'])
    expect(paid.body.bankAccount).not.toHaveProperty('mandate')
    const refund = await followUp(paid.body.id, 'RF', { amount: '92.00', currency: 'EUR' })
    expect(summary(refund)).toEqual([200, '000.100.110'])
  })
})

describe('refusals', () => {
  test.each<{ fault: string; changes: Parameters; code: string }>([
    { fault: 'the type PA', changes: { paymentType: 'PA' }, code: '600.200.310' },
    { fault: 'a currency other than that of its brand', changes: { currency: 'USD' }, code: '600.200.500' },
    {
      fault: 'wrong check digits of the IBAN',
      changes: { 'bankAccount.iban': 'NL92ABNA0417164300' },
      code: '100.200.104',
    },
    { fault: 'a country other than that of the IBAN', changes: { 'bankAccount.country': 'DE' }, code: '100.200.100' },
    { fault: 'a bank of another country', changes: { 'bankAccount.bic': 'COBADEFF' }, code: '100.200.103' },
    { fault: 'no mandate', changes: WITHOUT_MANDATE, code: '100.200.200' },
    {
      fault: 'no date of the mandate',
      changes: { 'bankAccount.mandate.dateOfSignature': undefined },
      code: '100.500.302',
    },
    {
      fault: 'a future date of the mandate',
      changes: { 'bankAccount.mandate.dateOfSignature': '2026-06-01' },
      code: '100.500.302',
    },
    { fault: 'a past due date', changes: { transactionDueDate: '2026-05-01' }, code: '100.500.301' },
    { fault: 'a redirect brand', changes: { paymentBrand: 'IDEAL' }, code: '600.200.200' },
    { fault: 'a card brand', changes: { paymentBrand: 'VISA', ...cardParameters() }, code: '600.200.200' },
  ])('a payment with $fault: $code, stored without the account number', async ({ changes, code }) => {
    const answer = await debit(changes)
    expect(summary(answer)).toEqual([400, code])
    expect(answer.body.resultDetails.ExtendedDescription).toEqual(expect.any(String))
    expect(answer.body.bankAccount).toMatchObject({ last4Digits: '4300', holder: 'Jane Jones' })
    expect((await read(answer.body.id)).result.code).toBe(code)
    expect(await gateway.storage.account(answer.body.id)).toMatchObject({ kind: 'bankAccount', sealed: null })
  })

  test('an unknown brand with a bank account: 600.200.100', async () => {
    expect(summary(await debit({ paymentBrand: 'FOO' }))).toEqual([400, '600.200.100'])
  })

  test('no holder and a malformed IBAN: 200.300.404, with the IBAN masked', async () => {
    const { body, status } = await debit({ 'bankAccount.holder': undefined, 'bankAccount.iban': `${IBAN}-` })
    expect([status, body.result.code]).toEqual([400, '200.300.404'])
    expect(body.result.parameterErrors).toEqual([
      { name: 'bankAccount.holder', value: '', message: 'may not be empty' },
      { name: 'bankAccount.iban', value: '***', message: expect.any(String) },
    ])
  })

  test('a redirect brand without a provider: 600.200.200, with the bank data of the request', async () => {
    const hints = { 'bankAccount.bankName': 'ING_TEST', 'bankAccount.country': 'NL' }
    const { body, status } = await send('POST', '/v1/payments', { ...MONEY, paymentBrand: 'IDEAL', ...hints })
    expect([status, body.result.code]).toEqual([400, '600.200.200'])
    expect(body.bankAccount).toEqual({ bankName: 'ING_TEST', country: 'NL' })
  })
})

describe('a stored bank account', () => {
  test('can be debited and credited, but not preauthorised; the number is sealed for each payment', async () => {
    const stored = await register()
    expect(summary(stored)).toEqual([200, '000.100.110'])
    expect(stored.body).toMatchObject({
      paymentBrand: 'DIRECTDEBIT_SEPA',
      bankAccount: { last4Digits: '4300', holder: 'Jane Jones', mandate: { id: 'MANDATE-A' } },
    })
    expect(await storedNumber(stored.body.id)).toBe(IBAN)
    for (const paymentType of ['DB', 'CD']) {
      const paid = await payWith(stored.body.id, { paymentType })
      expect(summary(paid)).toEqual([200, '000.100.110'])
      expect(paid.body).toMatchObject({ registrationId: stored.body.id, bankAccount: stored.body.bankAccount })
      expect(await storedNumber(paid.body.id)).toBe(IBAN)
    }
    expect(summary(await payWith(stored.body.id, { paymentType: 'PA' }))).toEqual([400, '600.200.310'])
  })

  test('is created along with a debit', async () => {
    const { body } = await debit({ createRegistration: 'true' })
    expect(summary(await payWith(body.registrationId))).toEqual([200, '000.100.110'])
  })

  test('without a mandate is debited with the mandate of the payment, for that payment only', async () => {
    const { body: stored } = await register(WITHOUT_MANDATE)
    expect(stored.bankAccount).not.toHaveProperty('mandate')
    expect(summary(await payWith(stored.id))).toEqual([400, '100.200.200'])
    const paid = await payWith(stored.id, MANDATE)
    expect(summary(paid)).toEqual([200, '000.100.110'])
    expect(paid.body.bankAccount.mandate).toEqual({ id: 'MANDATE-A', dateOfSignature: '2026-05-04' })
    expect(summary(await payWith(stored.id))).toEqual([400, '100.200.200'])
  })

  test('is not debited with the id of one mandate and the date of another', async () => {
    const { body: stored } = await register()
    const renewed = await payWith(stored.id, { 'bankAccount.mandate.id': 'MANDATE-B' })
    expect(summary(renewed)).toEqual([400, '100.500.302'])
    expect(renewed.body.bankAccount.mandate).toEqual({ id: 'MANDATE-B' })
  })

  test('keeps its holder, although another holder is sent with overrideHolder', async () => {
    const { body: stored } = await register()
    const otherHolder = { overrideHolder: 'true', 'bankAccount.holder': 'Jim Jones' }
    expect((await payWith(stored.id, otherHolder)).body.bankAccount.holder).toBe('Jane Jones')
  })

  test('without a holder is debited only with overrideHolder and the holder of the payment', async () => {
    const { body: stored } = await register()
    const account = await gateway.storage.account(stored.id)
    if (!account) throw new Error('a registration has an account')
    await gateway.storage.commit({
      id: 'unit-1',
      expectedVersions: [],
      rows: { account: [{ ...account, holder: null }] },
    })
    const otherHolder = { 'bankAccount.holder': 'Jim Jones' }
    expect(summary(await payWith(stored.id, otherHolder))).toEqual([400, '100.100.400'])
    const paid = await payWith(stored.id, { ...otherHolder, overrideHolder: 'true' })
    expect([summary(paid), paid.body.bankAccount.holder]).toEqual([[200, '000.100.110'], 'Jim Jones'])
  })

  describe('is updated', () => {
    const update = (id: string, changes: Parameters) => send('POST', `/v1/registrations/${id}`, changes)

    test('with another mandate, holder and bank, and keeps its number', async () => {
      const { body: stored } = await register()
      const mandate = { 'bankAccount.mandate.id': 'MANDATE-B', 'bankAccount.mandate.dateOfSignature': '2026-05-01' }
      const sent = { 'bankAccount.holder': 'Jim Jones', 'bankAccount.bic': 'ABNANL2A', ...mandate }
      expect(summary(await update(stored.id, sent))).toEqual([200, '000.100.110'])
      expect((await payWith(stored.id)).body.bankAccount).toEqual({
        last4Digits: '4300',
        holder: 'Jim Jones',
        bic: 'ABNANL2A',
        country: 'NL',
        mandate: { id: 'MANDATE-B', dateOfSignature: '2026-05-01' },
      })
    })

    test('with another number, and keeps its mandate, but not its bank', async () => {
      const { body: stored } = await register({ 'bankAccount.bic': 'ABNANL2A' })
      const renewed = await update(stored.id, { 'bankAccount.iban': 'de89370400440532013000' })
      expect(summary(renewed)).toEqual([200, '000.100.110'])
      const { body: paid } = await payWith(stored.id)
      expect(paid.bankAccount).toEqual({ ...stored.bankAccount, last4Digits: '3000', bic: undefined, country: 'DE' })
      expect(await storedNumber(paid.id)).toBe('DE89370400440532013000')
    })

    test('only with a valid number and bank', async () => {
      const { body: stored } = await register()
      const invalidIban = { 'bankAccount.iban': 'NL92ABNA0417164300' }
      expect(summary(await update(stored.id, invalidIban))).toEqual([400, '100.200.104'])
      expect(summary(await update(stored.id, { 'bankAccount.bic': 'COBADEFF' }))).toEqual([400, '100.200.103'])
      expect(await storedNumber((await payWith(stored.id)).body.id)).toBe(IBAN)
    })
  })

  test('is charged under a standing instruction without a network transaction id', async () => {
    const agreement = { 'standingInstruction.type': 'RECURRING', 'standingInstruction.source': 'MIT' }
    const first = await debit({ ...agreement, 'standingInstruction.mode': 'INITIAL', createRegistration: 'true' })
    expect(summary(first)).toEqual([200, '000.100.110'])
    const charge = { ...agreement, 'standingInstruction.mode': 'REPEATED' }
    expect(summary(await payWith(first.body.registrationId, charge))).toEqual([200, '000.100.110'])
    expect(summary(await debit(charge))).toEqual([200, '000.100.110'])
  })

  test('is erased with its registration', async () => {
    const { body: stored } = await register()
    await send('DELETE', `/v1/registrations/${stored.id}`)
    expect(await storedNumber(stored.id)).toBeUndefined()
    expect(summary(await payWith(stored.id))).toEqual([400, '100.150.202'])
  })

  test('is not created with wrong check digits of the IBAN or a future date of the mandate', async () => {
    expect(summary(await register({ 'bankAccount.iban': 'NL92ABNA0417164300' }))).toEqual([400, '100.200.104'])
    const futureMandate = { 'bankAccount.mandate.dateOfSignature': '2026-06-01' }
    expect(summary(await register(futureMandate))).toEqual([400, '100.500.302'])
  })
})

describe('a standalone risk check', () => {
  const check = (form: Parameters) => send('POST', '/v1/risk', { amount: '92.00', currency: 'EUR', ...form })

  test('has an answer with the masked account, and stores no number', async () => {
    const { 'bankAccount.holder': holder, 'bankAccount.iban': iban } = ACCOUNT
    const { body, text } = await check({ 'bankAccount.holder': holder, 'bankAccount.iban': iban, ...MANDATE })
    expect(body.bankAccount).toEqual({
      last4Digits: '4300',
      holder: 'Jane Jones',
      mandate: { id: 'MANDATE-A', dateOfSignature: '2026-05-04' },
    })
    expect(text).not.toContain('ABNA0417')
    expect(await gateway.storage.account(body.id)).toMatchObject({ kind: 'bankAccount', sealed: null })
  })

  test('has an answer with the bank account, although it was sent without its number', async () => {
    expect((await check({ 'bankAccount.country': 'NL' })).body.bankAccount).toEqual({ country: 'NL' })
  })
})

test('a bank account outside SEPA is debited in the currency of its brand, without an AuthCode', async () => {
  const account = { 'bankAccount.iban': undefined, 'bankAccount.number': '0123456789', 'bankAccount.bankCode': 'ARAB' }
  const sent = { paymentBrand: 'CLIQ', currency: 'JOD', 'bankAccount.country': 'JO', ...account, ...WITHOUT_MANDATE }
  const { body, status } = await debit(sent)
  expect([status, body.result.code, body.resultDetails.AcquirerResponse]).toEqual([200, '000.100.110', '00'])
  expect(body.resultDetails).not.toHaveProperty('AuthCode')
})

/** The card parameters of a payment. */
function cardParameters(): Parameters {
  return Object.fromEntries(Object.entries(cardPayment()).filter(([name]) => name.startsWith('card.')))
}
