import { afterAll, describe, expect, test } from 'vitest'
import { type Parameters, summary, testGateway } from '@tollgate/gateway/testing'
import {
  accountRequests,
  APPROVED,
  bankAccount,
  card,
  cryptogram,
  deviceNumber,
  giftCard,
  merchantInitiated,
  shownDevice,
  shownAccountsOf,
  tokenAccount,
  virtualAccount,
} from '../testing/sample-accounts.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { register, payWith, followUp } = accountRequests(tollgate)
const { send, gateway } = tollgate

describe('a stored account', () => {
  test('of a network token needs a cryptogram or dtvc for payments by the shopper, not by the merchant', async () => {
    const { body } = await register(tokenAccount)
    expect(summary(await payWith(body.id))).toEqual([400, '200.100.401'])
    expect(summary(await payWith(body.id, { 'tokenAccount.cryptogram': cryptogram }))).toEqual(APPROVED)
    const byDtvc = await payWith(body.id, { 'tokenAccount.dtvc': '123' })
    expect(summary(byDtvc)).toEqual(APPROVED)
    expect(byDtvc.body.result.cvvResponse).toBe('M')
    expect(summary(await payWith(body.id, merchantInitiated))).toEqual(APPROVED)
  })

  test.each<{ name: string; form: Parameters; brand: string; code: string }>([
    { name: 'a virtual account', form: virtualAccount, brand: 'BITCOIN', code: '100.210.102' },
    { name: 'a gift card', form: giftCard, brand: 'PETCO_GIFT_CARD', code: '100.210.102' },
    { name: 'a bank account', form: bankAccount, brand: 'CLIQ', code: '600.200.500' },
    { name: 'a token', form: tokenAccount, brand: 'MASTER', code: '100.100.700' },
    {
      name: 'a device account number',
      form: { ...card, ...deviceNumber, 'card.numberType': 'DPAN' },
      brand: 'MASTER',
      code: '100.100.700',
    },
  ])('is charged only with its stored brand: $name', async ({ form, brand, code }) => {
    const { body } = await register(form)
    const otherBrand = await payWith(body.id, { paymentBrand: brand, ...merchantInitiated })
    expect(summary(otherBrand)).toEqual([400, code])
    const storedBrand = await payWith(body.id, { paymentBrand: form.paymentBrand, ...merchantInitiated })
    expect(summary(storedBrand)).toEqual(APPROVED)
  })
})

describe('the changes of a stored account', () => {
  const accounts: readonly { name: string; form: Parameters; update: Parameters; shown: object }[] = [
    {
      name: 'a virtual account',
      form: virtualAccount,
      update: { 'virtualAccount.accountId': 'other@wallet.test' },
      shown: { virtualAccount: { accountId: '***test' } },
    },
    {
      name: 'a network token',
      form: tokenAccount,
      update: { 'tokenAccount.number': '4895370000000114', 'tokenAccount.expiryYear': '2035' },
      shown: { tokenAccount: { last4Digits: '0114', expiryMonth: '05', expiryYear: '2035', type: 'NETWORK' } },
    },
    {
      name: 'a device account number',
      form: { ...card, ...deviceNumber, 'card.numberType': 'DPAN' },
      update: { 'card.number': '4895370000000114', 'card.holder': 'Jo Jones' },
      shown: { card: { ...shownDevice, last4Digits: '0114', holder: 'Jo Jones' } },
    },
    {
      name: 'a gift card',
      form: giftCard,
      update: { 'giftCard.number': '6006490000999999', 'giftCard.message': 'Again' },
      shown: { giftCard: { last4Digits: '9999', holder: 'Jane Jones', message: 'Again' } },
    },
  ]

  test.each(accounts)(
    '$name is stored, charged, updated, extended and deleted, and its payments are refunded',
    async ({ form, update, shown }) => {
      const { body: stored } = await register(form)
      const path = `/v1/registrations/${stored.id}`
      const paid = await payWith(stored.id, merchantInitiated)
      const updated = await send('POST', path, update)
      expect(updated.body).toMatchObject({ paymentType: 'RR', paymentBrand: form['paymentBrand'] })
      for (const answer of [updated, await send('GET', path)]) {
        expect(summary(answer)).toEqual(APPROVED)
        expect(shownAccountsOf(answer, Object.keys(shown))).toMatchObject(shown)
        for (const name of Object.keys(shown)) expect(answer.text.split(`"${name}":`)).toHaveLength(2)
      }
      const paidAfterUpdate = await payWith(stored.id, merchantInitiated)
      expect(shownAccountsOf(paidAfterUpdate, Object.keys(shown))).not.toEqual(
        shownAccountsOf(paid, Object.keys(shown)),
      )
      const extendedAndDeleted = [await send('POST', `${path}/extendlife`), await send('DELETE', path)]
      const refunded = [await followUp(paid.body.id, 'RF'), await followUp(paidAfterUpdate.body.id, 'RF')]
      expect([paid, paidAfterUpdate, ...extendedAndDeleted, ...refunded].map(summary)).toEqual(
        Array.from({ length: 6 }, () => APPROVED),
      )
      const account = await gateway.storage.account(updated.body.id)
      expect(account).toMatchObject({ sealed: null, wrapped_key: null, key_id: null })
    },
  )

  test.each([
    { name: 'a token', form: tokenAccount, update: { ...tokenAccount, paymentBrand: 'MASTER' }, code: '100.100.700' },
    { name: 'a gift card', form: giftCard, update: { ...giftCard, paymentBrand: 'VISA' }, code: '100.210.102' },
    {
      name: 'a virtual account',
      form: virtualAccount,
      update: { ...virtualAccount, paymentBrand: 'BITCOIN' },
      code: '100.210.102',
    },
  ])('$name cannot be updated to another brand', async ({ form, update, code }) => {
    const { body } = await register(form)
    expect(summary(await send('POST', `/v1/registrations/${body.id}`, update))).toEqual([400, code])
  })

  test('a card can be updated to a number of another brand', async () => {
    const { body } = await register(card)
    const updated = await send('POST', `/v1/registrations/${body.id}`, { 'card.number': '5454545454545454' })
    expect(updated.body).toMatchObject({ paymentBrand: 'MASTER', card: { bin: '545454' } })
  })
})

describe('an agreement that was made at another provider', () => {
  const charge = { ...merchantInitiated, 'standingInstruction.initialTransactionId': undefined }
  const migrated = { 'recurringMigration.paymentType': 'DB', 'recurringMigration.amount': '10.00' }

  test.each([
    { reference: 'the first reference', references: { 1: 'A', 2: 'B', 3: 'C' }, expected: 'A' },
    { reference: 'the only reference', references: { 3: 'C' }, expected: 'C' },
  ])('is charged under $reference of the migration', async ({ references, expected }) => {
    const sent = Object.entries(references).map(([number, id]) => [`recurringMigration.connectorTxId${number}`, id])
    const stored = await register({ ...card, ...migrated, ...Object.fromEntries(sent) })
    expect(stored.body.recurringMigration).toMatchObject({ paymentType: 'DB', amount: '10.00' })
    const read = await send('GET', `/v1/registrations/${stored.body.id}`)
    expect(read.body.resultDetails.CardholderInitiatedTransactionID).toBe(expected)
    const charged = await payWith(stored.body.id, charge)
    expect(summary(charged)).toEqual(APPROVED)
    const tree = await gateway.storage.treeOf(charged.body.id)
    expect(tree?.transactions[0]?.initial_transaction_id).toBe(expected)
  })

  test('can be stored with the standing instruction of its charges, but only with a reference', async () => {
    const migratedCard = { ...card, 'card.cvv': undefined, ...migrated, ...charge }
    expect(summary(await register({ ...migratedCard, 'recurringMigration.connectorTxId1': 'A' }))).toEqual(APPROVED)
    expect(summary(await register(migratedCard))).toEqual([400, '600.200.501'])
  })

  test.each<{ migration: string; sent: Parameters }>([
    { migration: 'without a reference', sent: {} },
    {
      migration: 'of a payout',
      sent: { 'recurringMigration.paymentType': 'CD', 'recurringMigration.connectorTxId1': 'A' },
    },
  ])('cannot be charged after a migration $migration', async ({ sent }) => {
    const stored = await register({ ...card, ...migrated, ...sent })
    expect(summary(await payWith(stored.body.id, charge))).toEqual([400, '600.200.501'])
  })
})
