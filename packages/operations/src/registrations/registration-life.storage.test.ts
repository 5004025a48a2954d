import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { cardWithoutPayment, cardPayment, type Parameters, summary, testGateway } from '@tollgate/gateway/testing'
import { BEGIN, CHARGE, money, registrationRequests } from '../testing/registration-requests.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send } = tollgate
const { payWith, read, update, extend, deregister } = registrationRequests(tollgate)
const goTo = (day: string) => void (tollgate.clock.nowMs = Date.parse(`${day}T09:00:00Z`))
beforeEach(() => goTo('2026-05-04'))

const DONE = [200, '000.100.110']

const account = async (id: string) => tollgate.gateway.storage.account(id)

const endThoseWhoseTimeIsOver = () => tollgate.gateway.jobs.fastForward(tollgate.clock.nowMs)

describe('a card on file', () => {
  test('lives from a first payment to its deletion, and its payments are refunded after it', async () => {
    const bought = await send('POST', '/v1/payments', cardPayment({ createRegistration: 'true', ...BEGIN }))
    expect(summary(bought)).toEqual(DONE)
    const id: string = bought.body.registrationId
    const begun: string = bought.body.resultDetails.CardholderInitiatedTransactionID

    // An acquirer has approved it, and the network's id of that payment is kept for what follows.
    const stored = await read(id)
    expect(summary(stored)).toEqual(DONE)
    expect(stored.body).toMatchObject({
      id,
      paymentBrand: 'VISA',
      card: { bin: '420000', last4Digits: '0000', holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' },
      resultDetails: {
        VerifiedAt: '2026-05-04 09:00:00.000+0000',
        RetainedUntil: '2035-08-01 12:00:00.000+0000',
        CardholderInitiatedTransactionID: begun,
      },
    })

    // The customer comes back and types the cvv; then the merchant charges by itself.
    goTo('2026-06-04')
    const again = { 'standingInstruction.mode': 'REPEATED', 'standingInstruction.source': 'CIT', 'card.cvv': '123' }
    const clicked = await payWith(id, { 'standingInstruction.type': 'UNSCHEDULED', ...again })
    expect([summary(clicked), clicked.body.result.cvvResponse]).toEqual([DONE, 'M'])
    goTo('2026-07-04')
    const charged = await payWith(id, CHARGE)
    expect(summary(charged)).toEqual(DONE)
    const row = (await tollgate.gateway.storage.treeOf(charged.body.id))?.transactions[0]
    expect(row?.initial_transaction_id).toBe(begun)

    // The bank sends a new card.
    goTo('2026-08-04')
    const formerAccount = await account(id)
    const renewed = { 'card.number': '4111111111111111', 'card.expiryMonth': '11', 'card.expiryYear': '2037' }
    const updated = await update(id, { ...renewed, 'billing.city': 'Bremen' })
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
      resultDetails: { RetainedUntil: '2039-02-01 12:00:00.000+0000', CardholderInitiatedTransactionID: begun },
    })
    expect(formerAccount?.sealed).toBeInstanceOf(Uint8Array)
    expect(await account(id)).toMatchObject({ sealed: null, wrapped_key: null, key_id: null })
    const chargedAnew = await payWith(id, CHARGE)
    expect([summary(chargedAnew), chargedAnew.body.card.last4Digits]).toEqual([DONE, '1111'])

    const extended = await extend(id)
    expect(summary(extended)).toEqual(DONE)
    expect(extended.body).toMatchObject({
      paymentType: 'TE',
      registrationId: id,
      resultDetails: { RetainedUntil: '2039-12-01 12:00:00.000+0000' },
    })

    goTo('2026-09-04')
    const gone = await deregister(id)
    expect([summary(gone), gone.body.paymentType]).toEqual([DONE, 'DR'])
    expect(await account(updated.body.id)).toMatchObject({ sealed: null, wrapped_key: null, key_id: null })
    for (const late of [payWith(id, CHARGE), read(id), update(id, renewed), deregister(id)]) {
      expect(summary(await late)).toEqual([400, '100.150.202'])
    }
    expect(summary(await extend(id))).toEqual([400, '100.350.316'])

    for (const { body: paid } of [bought, clicked, charged, chargedAnew]) {
      const refund = await send('POST', `/v1/payments/${paid.id}`, { paymentType: 'RF', ...money })
      expect(summary(refund)).toEqual(DONE)
    }
  })

  test('ends by itself fourteen months after the card, and is erased then', async () => {
    const { body: stored } = await send('POST', '/v1/registrations', cardWithoutPayment({ 'card.expiryYear': '2027' }))
    const { body: paid } = await payWith(stored.id)

    goTo('2027-07-01')
    // Its card has ended, not the registration: a new date of expiry brings it back.
    expect(summary(await payWith(stored.id))).toEqual([400, '100.100.303'])
    expect((await read(stored.id)).body.resultDetails.RetainedUntil).toBe('2028-08-01 12:00:00.000+0000')

    goTo('2028-07-31')
    await endThoseWhoseTimeIsOver()
    expect(summary(await read(stored.id))).toEqual(DONE)

    goTo('2028-08-02')
    for (const erased of [false, true]) {
      if (erased) await endThoseWhoseTimeIsOver()
      expect((await account(stored.id))?.sealed === null).toBe(erased)
      for (const late of [payWith(stored.id), read(stored.id), update(stored.id, { 'card.expiryYear': '2039' })]) {
        expect(summary(await late)).toEqual([400, '100.150.203'])
      }
      expect(summary(await extend(stored.id))).toEqual([400, '100.350.316'])
    }
    expect(summary(await deregister(stored.id))).toEqual([400, '100.150.202'])
    expect((await account(paid.id))?.sealed).toBeInstanceOf(Uint8Array)
    const tree = await tollgate.gateway.storage.treeOf(stored.id)
    expect(tree?.transactions.map(({ type }) => type)).toEqual(['RG', 'DR'])
    await endThoseWhoseTimeIsOver()
    expect(await tollgate.gateway.storage.treeOf(stored.id)).toEqual(tree)
  })

  test('that has expired can be deleted before it is erased', async () => {
    const { body: stored } = await send('POST', '/v1/registrations', cardWithoutPayment({ 'card.expiryYear': '2027' }))
    goTo('2028-08-02')
    expect(summary(await deregister(stored.id))).toEqual(DONE)
    expect(await account(stored.id)).toMatchObject({ sealed: null, wrapped_key: null })
    expect(summary(await payWith(stored.id))).toEqual([400, '100.150.203'])
  })
})

/** An account other than a card, with what is shown of it before and after it was updated. */
interface OtherAccount {
  readonly what: string
  readonly structure: string
  readonly account: Parameters
  readonly shown: object
  readonly news: Parameters
  readonly shownAfter: object
  /** Data that only the customer can supply, with each payment. */
  readonly proof?: Parameters
}

const MANDATE = { id: 'MANDATE-A', dateOfSignature: '2026-05-04' }

/** They do not end by themselves: their time counts from the last use. */
const endless: readonly OtherAccount[] = [
  {
    what: 'a bank account',
    structure: 'bankAccount',
    account: {
      paymentBrand: 'DIRECTDEBIT_SEPA',
      'bankAccount.holder': 'Jane Jones',
      'bankAccount.iban': 'NL91ABNA0417164300',
      'bankAccount.bic': 'ABNANL2A',
      'bankAccount.mandate.id': 'MANDATE-A',
      'bankAccount.mandate.dateOfSignature': '2026-05-04',
    },
    shown: { last4Digits: '4300', holder: 'Jane Jones', bic: 'ABNANL2A', country: 'NL', mandate: MANDATE },
    news: { 'bankAccount.iban': 'de89370400440532013000', 'bankAccount.bankName': 'Example Bank' },
    shownAfter: {
      last4Digits: '3000',
      holder: 'Jane Jones',
      bankName: 'Example Bank',
      country: 'DE',
      mandate: MANDATE,
    },
  },
  {
    what: 'a virtual account',
    structure: 'virtualAccount',
    account: { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'shopper@wallet.example' },
    shown: { accountId: '***mple' },
    // "virtualAccount.accountId" is all of the structure in the contract; unknown parameters are ignored.
    news: { 'virtualAccount.accountId': 'somebody@else.test', 'virtualAccount.holder': 'Jane Jones' },
    shownAfter: { accountId: '***test' },
  },
  {
    what: 'a gift card',
    structure: 'giftCard',
    account: {
      paymentBrand: 'HEB_GIFT_CARD',
      'giftCard.number': '6006490000000012',
      'giftCard.pin': '1234',
      'giftCard.holder': 'Jane Jones',
    },
    shown: { last4Digits: '0012', holder: 'Jane Jones' },
    news: { 'giftCard.number': '6006490000999999', 'giftCard.expiryYear': '2030' },
    shownAfter: { last4Digits: '9999', holder: 'Jane Jones' },
    proof: { 'giftCard.pin': '1234' },
  },
]

describe.each(endless)('$what on file', ({ structure, account: data, shown, news, shownAfter, proof }) => {
  test('lives from a first payment to its deletion, and its payments are refunded after it', async () => {
    const first = { ...data, ...money, paymentType: 'DB', createRegistration: 'true', ...BEGIN }
    const bought = await send('POST', '/v1/payments', first)
    expect(summary(bought)).toEqual(DONE)
    const id: string = bought.body.registrationId
    const stored = await read(id)
    expect(stored.body[structure]).toEqual(shown)
    expect(stored.body.resultDetails.RetainedUntil).toBe('2027-07-04 09:00:00.000+0000')

    // No network has an id of it: the acquirer's stands for it.
    goTo('2026-07-04')
    const charged = await payWith(id, CHARGE)
    expect(summary(charged)).toEqual(DONE)
    const row = (await tollgate.gateway.storage.treeOf(charged.body.id))?.transactions[0]
    expect(row?.initial_transaction_id).toBe(bought.body.resultDetails.ConnectorTxID1)

    goTo('2026-08-04')
    const updated = await update(id, news)
    expect(summary(updated)).toEqual(DONE)
    for (const { body } of [updated, await read(id)]) expect(body[structure]).toEqual(shownAfter)
    expect(await account(id)).toMatchObject({ sealed: null, wrapped_key: null, key_id: null })
    const chargedAnew = await payWith(id, CHARGE)
    expect(summary(chargedAnew)).toEqual(DONE)
    expect(chargedAnew.body[structure]).toEqual(shownAfter)

    // It is kept for 24 months after the last use, which moves on with each payment.
    goTo('2026-09-04')
    expect((await extend(id)).body.resultDetails.RetainedUntil).toBe('2028-08-04 09:00:00.000+0000')
    goTo('2028-08-03')
    const late = await payWith(id, proof)
    expect(summary(late)).toEqual(DONE)
    goTo('2028-08-05')
    await endThoseWhoseTimeIsOver()
    expect((await read(id)).body.resultDetails.RetainedUntil).toBe('2030-08-03 09:00:00.000+0000')

    expect(summary(await deregister(id))).toEqual(DONE)
    expect(await account(updated.body.id)).toMatchObject({ sealed: null, wrapped_key: null, key_id: null })
    for (const after of [payWith(id, CHARGE), read(id), update(id, news), deregister(id)]) {
      expect(summary(await after)).toEqual([400, '100.150.202'])
    }
    const refund = await send('POST', `/v1/payments/${late.body.id}`, { paymentType: 'RF', ...money })
    expect([summary(refund), Object.keys(refund.body)]).toEqual([DONE, expect.arrayContaining([structure])])
  })

  test('ends by itself fourteen months after its last use, and is erased then', async () => {
    const { body: stored } = await send('POST', '/v1/registrations', data)
    goTo('2026-06-04')
    expect(summary(await payWith(stored.id, proof))).toEqual(DONE)
    goTo('2027-08-03')
    expect(summary(await read(stored.id))).toEqual(DONE)
    goTo('2027-08-04')
    for (const erased of [false, true]) {
      if (erased) await endThoseWhoseTimeIsOver()
      // To be refused is no use of it.
      expect(summary(await payWith(stored.id, proof))).toEqual([400, '100.150.203'])
      expect((await account(stored.id))?.sealed === null).toBe(erased)
    }
  })
})

describe('a token on file', () => {
  const token = {
    paymentBrand: 'VISA',
    'tokenAccount.number': '4895370000000007',
    'tokenAccount.type': 'NETWORK',
    'tokenAccount.expiryMonth': '05',
    'tokenAccount.expiryYear': '2034',
  }
  const cryptogram = { 'tokenAccount.cryptogram': 'AgAAAAAABk4DWZ4C28yUQAAAAAA=' }

  test('lives from a first payment to its end as a card does', async () => {
    const first = { ...token, ...cryptogram, ...money, paymentType: 'DB', createRegistration: 'true', ...BEGIN }
    const bought = await send('POST', '/v1/payments', first)
    expect(summary(bought)).toEqual(DONE)
    const id: string = bought.body.registrationId
    expect((await read(id)).body).toMatchObject({
      tokenAccount: { last4Digits: '0007', expiryYear: '2034', type: 'NETWORK' },
      resultDetails: { RetainedUntil: '2035-08-01 12:00:00.000+0000' },
    })
    goTo('2026-07-04')
    const clicked = await payWith(id, cryptogram)
    const charged = await payWith(id, CHARGE)
    expect([summary(clicked), summary(charged)]).toEqual([DONE, DONE])
    const row = (await tollgate.gateway.storage.treeOf(charged.body.id))?.transactions[0]
    expect(row?.initial_transaction_id).toBe(bought.body.resultDetails.CardholderInitiatedTransactionID)

    // The network gives it another time; its number stays.
    goTo('2026-08-04')
    const updated = await update(id, { 'tokenAccount.expiryYear': '2036' })
    expect(updated.body).toMatchObject({ tokenAccount: { last4Digits: '0007', expiryYear: '2036', type: 'NETWORK' } })
    expect((await extend(id)).body.resultDetails.RetainedUntil).toBe('2038-06-01 12:00:00.000+0000')
    expect(summary(await payWith(id, CHARGE))).toEqual(DONE)
    const refund = await send('POST', `/v1/payments/${charged.body.id}`, { paymentType: 'RF', ...money })
    expect(summary(refund)).toEqual(DONE)

    goTo('2038-06-02')
    expect(summary(await payWith(id, CHARGE))).toEqual([400, '100.150.203'])
    await endThoseWhoseTimeIsOver()
    for (const each of [id, updated.body.id]) {
      expect(await account(each)).toMatchObject({ sealed: null, wrapped_key: null, key_id: null })
    }
  })
})
