import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { cardWithoutPayment, cardPayment, type Parameters, summary, testGateway } from '@tollgate/gateway/testing'
import { BEGIN, CHARGE, money, registrationRequests } from '../testing/registration-requests.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send } = tollgate
const { payWith, read, update, extend, deregister } = registrationRequests(tollgate)
const setDay = (day: string) => void (tollgate.clock.nowMs = Date.parse(`${day}T09:00:00Z`))
beforeEach(() => setDay('2026-05-04'))

const DONE = [200, '000.100.110']

const account = async (id: string) => tollgate.gateway.storage.account(id)

const runDueJobs = () => tollgate.gateway.jobs.fastForward(tollgate.clock.nowMs)

describe('a card on file', () => {
  test('can be charged, updated, extended and deregistered, and its payments can be refunded', async () => {
    const firstPayment = await send('POST', '/v1/payments', cardPayment({ createRegistration: 'true', ...BEGIN }))
    expect(summary(firstPayment)).toEqual(DONE)
    const id: string = firstPayment.body.registrationId
    const networkId: string = firstPayment.body.resultDetails.CardholderInitiatedTransactionID

    // The acquirer has approved the payment, and its network transaction id is stored for later charges.
    const stored = await read(id)
    expect(summary(stored)).toEqual(DONE)
    expect(stored.body).toMatchObject({
      id,
      paymentBrand: 'VISA',
      card: { bin: '420000', last4Digits: '0000', holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' },
      resultDetails: {
        VerifiedAt: '2026-05-04 09:00:00.000+0000',
        RetainedUntil: '2035-08-01 12:00:00.000+0000',
        CardholderInitiatedTransactionID: networkId,
      },
    })

    // The customer initiates a payment with a CVV; later the merchant initiates a charge.
    setDay('2026-06-04')
    const repeatedByCustomer = {
      'standingInstruction.mode': 'REPEATED',
      'standingInstruction.source': 'CIT',
      'card.cvv': '123',
    }
    const customerPayment = await payWith(id, { 'standingInstruction.type': 'UNSCHEDULED', ...repeatedByCustomer })
    expect([summary(customerPayment), customerPayment.body.result.cvvResponse]).toEqual([DONE, 'M'])
    setDay('2026-07-04')
    const charged = await payWith(id, CHARGE)
    expect(summary(charged)).toEqual(DONE)
    const row = (await tollgate.gateway.storage.treeOf(charged.body.id))?.transactions[0]
    expect(row?.initial_transaction_id).toBe(networkId)

    // The customer has received a new card.
    setDay('2026-08-04')
    const formerAccount = await account(id)
    const newCard = { 'card.number': '4111111111111111', 'card.expiryMonth': '11', 'card.expiryYear': '2037' }
    const updated = await update(id, { ...newCard, 'billing.city': 'Bremen' })
    expect(summary(updated)).toEqual(DONE)
    expect(updated.body).toMatchObject({
      referencedId: id,
      registrationId: id,
      paymentType: 'RR',
      billing: { city: 'Bremen' },
      card: { bin: '411111', last4Digits: '1111', holder: 'Jane Jones', expiryMonth: '11', expiryYear: '2037' },
    })
    expect((await read(id)).body).toMatchObject({
      card: { last4Digits: '1111', holder: 'Jane Jones', expiryYear: '2037' },
      billing: { city: 'Bremen' },
      resultDetails: { RetainedUntil: '2039-02-01 12:00:00.000+0000', CardholderInitiatedTransactionID: networkId },
    })
    expect(formerAccount?.sealed).toBeInstanceOf(Uint8Array)
    expect(await account(id)).toMatchObject({ sealed: null, wrapped_key: null, key_id: null })
    const chargedAfterUpdate = await payWith(id, CHARGE)
    expect([summary(chargedAfterUpdate), chargedAfterUpdate.body.card.last4Digits]).toEqual([DONE, '1111'])

    const extended = await extend(id)
    expect(summary(extended)).toEqual(DONE)
    expect(extended.body).toMatchObject({
      paymentType: 'TE',
      registrationId: id,
      resultDetails: { RetainedUntil: '2039-12-01 12:00:00.000+0000' },
    })

    setDay('2026-09-04')
    const deregistered = await deregister(id)
    expect([summary(deregistered), deregistered.body.paymentType]).toEqual([DONE, 'DR'])
    expect(await account(updated.body.id)).toMatchObject({ sealed: null, wrapped_key: null, key_id: null })
    for (const answer of [payWith(id, CHARGE), read(id), update(id, newCard), deregister(id)]) {
      expect(summary(await answer)).toEqual([400, '100.150.202'])
    }
    expect(summary(await extend(id))).toEqual([400, '100.350.316'])

    for (const { body: paid } of [firstPayment, customerPayment, charged, chargedAfterUpdate]) {
      const refund = await send('POST', `/v1/payments/${paid.id}`, { paymentType: 'RF', ...money })
      expect(summary(refund)).toEqual(DONE)
    }
  })

  test('expires 14 months after the card and is erased then', async () => {
    const { body: stored } = await send('POST', '/v1/registrations', cardWithoutPayment({ 'card.expiryYear': '2027' }))
    const { body: paid } = await payWith(stored.id)

    setDay('2027-07-01')
    // The card has expired, so a payment is refused; the registration has not expired and can be read.
    expect(summary(await payWith(stored.id))).toEqual([400, '100.100.303'])
    expect((await read(stored.id)).body.resultDetails.RetainedUntil).toBe('2028-08-01 12:00:00.000+0000')

    setDay('2028-07-31')
    await runDueJobs()
    expect(summary(await read(stored.id))).toEqual(DONE)

    setDay('2028-08-02')
    for (const erased of [false, true]) {
      if (erased) await runDueJobs()
      expect((await account(stored.id))?.sealed === null).toBe(erased)
      for (const answer of [payWith(stored.id), read(stored.id), update(stored.id, { 'card.expiryYear': '2039' })]) {
        expect(summary(await answer)).toEqual([400, '100.150.203'])
      }
      expect(summary(await extend(stored.id))).toEqual([400, '100.350.316'])
    }
    expect(summary(await deregister(stored.id))).toEqual([400, '100.150.202'])
    expect((await account(paid.id))?.sealed).toBeInstanceOf(Uint8Array)
    const tree = await tollgate.gateway.storage.treeOf(stored.id)
    expect(tree?.transactions.map(({ type }) => type)).toEqual(['RG', 'DR'])
    await runDueJobs()
    expect(await tollgate.gateway.storage.treeOf(stored.id)).toEqual(tree)
  })

  test('that has expired can be deleted before it is erased', async () => {
    const { body: stored } = await send('POST', '/v1/registrations', cardWithoutPayment({ 'card.expiryYear': '2027' }))
    setDay('2028-08-02')
    expect(summary(await deregister(stored.id))).toEqual(DONE)
    expect(await account(stored.id)).toMatchObject({ sealed: null, wrapped_key: null })
    expect(summary(await payWith(stored.id))).toEqual([400, '100.150.203'])
  })
})

/** An account other than a card, with its displayed fields before and after an update. */
interface OtherAccount {
  readonly name: string
  readonly structure: string
  readonly account: Parameters
  readonly displayed: object
  readonly changes: Parameters
  readonly displayedAfter: object
  /** Data that the customer supplies with each payment that they initiate. */
  readonly customerData?: Parameters
}

const MANDATE = { id: 'MANDATE-A', dateOfSignature: '2026-05-04' }

/** Accounts without an expiry date: their retention begins at the last use. */
const accountsWithoutExpiry: readonly OtherAccount[] = [
  {
    name: 'a bank account',
    structure: 'bankAccount',
    account: {
      paymentBrand: 'DIRECTDEBIT_SEPA',
      'bankAccount.holder': 'Jane Jones',
      'bankAccount.iban': 'NL91ABNA0417164300',
      'bankAccount.bic': 'ABNANL2A',
      'bankAccount.mandate.id': 'MANDATE-A',
      'bankAccount.mandate.dateOfSignature': '2026-05-04',
    },
    displayed: { last4Digits: '4300', holder: 'Jane Jones', bic: 'ABNANL2A', country: 'NL', mandate: MANDATE },
    changes: { 'bankAccount.iban': 'de89370400440532013000', 'bankAccount.bankName': 'Example Bank' },
    displayedAfter: {
      last4Digits: '3000',
      holder: 'Jane Jones',
      bankName: 'Example Bank',
      country: 'DE',
      mandate: MANDATE,
    },
  },
  {
    name: 'a virtual account',
    structure: 'virtualAccount',
    account: { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'shopper@wallet.example' },
    displayed: { accountId: '***mple' },
    // In the contract the structure has only the parameter accountId; unknown parameters are ignored.
    changes: { 'virtualAccount.accountId': 'somebody@else.test', 'virtualAccount.holder': 'Jane Jones' },
    displayedAfter: { accountId: '***test' },
  },
  {
    name: 'a gift card',
    structure: 'giftCard',
    account: {
      paymentBrand: 'HEB_GIFT_CARD',
      'giftCard.number': '6006490000000012',
      'giftCard.pin': '1234',
      'giftCard.holder': 'Jane Jones',
    },
    displayed: { last4Digits: '0012', holder: 'Jane Jones' },
    changes: { 'giftCard.number': '6006490000999999', 'giftCard.expiryYear': '2030' },
    displayedAfter: { last4Digits: '9999', holder: 'Jane Jones' },
    customerData: { 'giftCard.pin': '1234' },
  },
]

describe.each(accountsWithoutExpiry)(
  '$name on file',
  ({ structure, account: data, displayed, changes, displayedAfter, customerData }) => {
    test('can be charged, updated, extended and deregistered, and its payments can be refunded', async () => {
      const first = { ...data, ...money, paymentType: 'DB', createRegistration: 'true', ...BEGIN }
      const firstPayment = await send('POST', '/v1/payments', first)
      expect(summary(firstPayment)).toEqual(DONE)
      const id: string = firstPayment.body.registrationId
      const stored = await read(id)
      expect(stored.body[structure]).toEqual(displayed)
      expect(stored.body.resultDetails.RetainedUntil).toBe('2027-07-04 09:00:00.000+0000')

      // There is no network transaction id: the acquirer's id replaces it.
      setDay('2026-07-04')
      const charged = await payWith(id, CHARGE)
      expect(summary(charged)).toEqual(DONE)
      const row = (await tollgate.gateway.storage.treeOf(charged.body.id))?.transactions[0]
      expect(row?.initial_transaction_id).toBe(firstPayment.body.resultDetails.ConnectorTxID1)

      setDay('2026-08-04')
      const updated = await update(id, changes)
      expect(summary(updated)).toEqual(DONE)
      for (const { body } of [updated, await read(id)]) expect(body[structure]).toEqual(displayedAfter)
      expect(await account(id)).toMatchObject({ sealed: null, wrapped_key: null, key_id: null })
      const chargedAfterUpdate = await payWith(id, CHARGE)
      expect(summary(chargedAfterUpdate)).toEqual(DONE)
      expect(chargedAfterUpdate.body[structure]).toEqual(displayedAfter)

      // An extended registration is kept for 24 months after its last use, and each payment is a use.
      setDay('2026-09-04')
      expect((await extend(id)).body.resultDetails.RetainedUntil).toBe('2028-08-04 09:00:00.000+0000')
      setDay('2028-08-03')
      const lastPayment = await payWith(id, customerData)
      expect(summary(lastPayment)).toEqual(DONE)
      setDay('2028-08-05')
      await runDueJobs()
      expect((await read(id)).body.resultDetails.RetainedUntil).toBe('2030-08-03 09:00:00.000+0000')

      expect(summary(await deregister(id))).toEqual(DONE)
      expect(await account(updated.body.id)).toMatchObject({ sealed: null, wrapped_key: null, key_id: null })
      for (const answer of [payWith(id, CHARGE), read(id), update(id, changes), deregister(id)]) {
        expect(summary(await answer)).toEqual([400, '100.150.202'])
      }
      const refund = await send('POST', `/v1/payments/${lastPayment.body.id}`, { paymentType: 'RF', ...money })
      expect([summary(refund), Object.keys(refund.body)]).toEqual([DONE, expect.arrayContaining([structure])])
    })

    test('expires 14 months after its last use and is erased then', async () => {
      const { body: stored } = await send('POST', '/v1/registrations', data)
      setDay('2026-06-04')
      expect(summary(await payWith(stored.id, customerData))).toEqual(DONE)
      setDay('2027-08-03')
      expect(summary(await read(stored.id))).toEqual(DONE)
      setDay('2027-08-04')
      for (const erased of [false, true]) {
        if (erased) await runDueJobs()
        // A refused payment is not a use.
        expect(summary(await payWith(stored.id, customerData))).toEqual([400, '100.150.203'])
        expect((await account(stored.id))?.sealed === null).toBe(erased)
      }
    })
  },
)

describe('a token on file', () => {
  const token = {
    paymentBrand: 'VISA',
    'tokenAccount.number': '4895370000000007',
    'tokenAccount.type': 'NETWORK',
    'tokenAccount.expiryMonth': '05',
    'tokenAccount.expiryYear': '2034',
  }
  const cryptogram = { 'tokenAccount.cryptogram': 'AgAAAAAABk4DWZ4C28yUQAAAAAA=' }

  test('can be charged, updated and extended, and expires like a card', async () => {
    const first = { ...token, ...cryptogram, ...money, paymentType: 'DB', createRegistration: 'true', ...BEGIN }
    const firstPayment = await send('POST', '/v1/payments', first)
    expect(summary(firstPayment)).toEqual(DONE)
    const id: string = firstPayment.body.registrationId
    expect((await read(id)).body).toMatchObject({
      tokenAccount: { last4Digits: '0007', expiryYear: '2034', type: 'NETWORK' },
      resultDetails: { RetainedUntil: '2035-08-01 12:00:00.000+0000' },
    })
    setDay('2026-07-04')
    const customerPayment = await payWith(id, cryptogram)
    const charged = await payWith(id, CHARGE)
    expect([summary(customerPayment), summary(charged)]).toEqual([DONE, DONE])
    const row = (await tollgate.gateway.storage.treeOf(charged.body.id))?.transactions[0]
    expect(row?.initial_transaction_id).toBe(firstPayment.body.resultDetails.CardholderInitiatedTransactionID)

    // The network issues a new expiry date for the same number.
    setDay('2026-08-04')
    const updated = await update(id, { 'tokenAccount.expiryYear': '2036' })
    expect(updated.body).toMatchObject({ tokenAccount: { last4Digits: '0007', expiryYear: '2036', type: 'NETWORK' } })
    expect((await extend(id)).body.resultDetails.RetainedUntil).toBe('2038-06-01 12:00:00.000+0000')
    expect(summary(await payWith(id, CHARGE))).toEqual(DONE)
    const refund = await send('POST', `/v1/payments/${charged.body.id}`, { paymentType: 'RF', ...money })
    expect(summary(refund)).toEqual(DONE)

    setDay('2038-06-02')
    expect(summary(await payWith(id, CHARGE))).toEqual([400, '100.150.203'])
    await runDueJobs()
    for (const accountId of [id, updated.body.id]) {
      expect(await account(accountId)).toMatchObject({ sealed: null, wrapped_key: null, key_id: null })
    }
  })
})
