import { afterAll, describe, expect, test } from 'vitest'
import { sandboxIds } from '../../sandbox.ts'
import { cardAlone, cardPayment, type Parameters, type TestAnswer, testGateway } from '../../testing/test-gateway.ts'
import { expireRegistrations } from '../../workers/expire-registrations.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send } = tollgate

const DONE = [200, '000.100.110']
const summary = ({ status, body }: TestAnswer) => [status, body.result.code]
const money = { amount: '92.00', currency: 'EUR' }
const payWith = (id: string, changes: Parameters = {}) =>
  send('POST', `/v1/registrations/${id}/payments`, { ...money, paymentType: 'DB', ...changes })
const read = (id: string, changes: Parameters = {}) => send('GET', `/v1/registrations/${id}`, changes)
const update = (id: string, changes: Parameters) => send('POST', `/v1/registrations/${id}`, changes)
const extend = (id: string, changes: Parameters = {}) => send('POST', `/v1/registrations/${id}/extendlife`, changes)
const deregister = (id: string) => send('DELETE', `/v1/registrations/${id}`)
const goTo = (day: string) => void (tollgate.clock.nowMs = Date.parse(`${day}T09:00:00Z`))
const account = async (id: string) => tollgate.gateway.storage.account(id)

const SUBSCRIPTION = { 'standingInstruction.type': 'RECURRING', 'standingInstruction.recurringType': 'SUBSCRIPTION' }
const BEGIN = { ...SUBSCRIPTION, 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT' }
const CHARGE = { ...SUBSCRIPTION, 'standingInstruction.mode': 'REPEATED', 'standingInstruction.source': 'MIT' }

describe('a card on file', () => {
  test('lives from a first payment to its deletion, and its payments are refunded after it', async () => {
    goTo('2026-05-04')
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
    goTo('2026-05-04')
    const { body: stored } = await send('POST', '/v1/registrations', cardAlone({ 'card.expiryYear': '2027' }))
    const { body: paid } = await payWith(stored.id)

    goTo('2027-07-01')
    // Its card has ended, not the registration: a new date of expiry brings it back.
    expect(summary(await payWith(stored.id))).toEqual([400, '100.100.303'])
    expect((await read(stored.id)).body.resultDetails.RetainedUntil).toBe('2028-08-01 12:00:00.000+0000')

    goTo('2028-07-31')
    await expireRegistrations(tollgate.gateway)
    expect(summary(await read(stored.id))).toEqual(DONE)

    goTo('2028-08-02')
    for (const erased of [false, true]) {
      if (erased) await expireRegistrations(tollgate.gateway)
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
    await expireRegistrations(tollgate.gateway)
    expect(await tollgate.gateway.storage.treeOf(stored.id)).toEqual(tree)
  })

  test('that has expired can be deleted before it is erased', async () => {
    goTo('2026-05-04')
    const { body: stored } = await send('POST', '/v1/registrations', cardAlone({ 'card.expiryYear': '2027' }))
    goTo('2028-08-02')
    expect(summary(await deregister(stored.id))).toEqual(DONE)
    expect(await account(stored.id)).toMatchObject({ sealed: null, wrapped_key: null })
    expect(summary(await payWith(stored.id))).toEqual([400, '100.150.203'])
  })
})

describe('verification', () => {
  const register = (changes: Parameters = {}) => send('POST', '/v1/registrations', cardAlone(changes))
  const asked = { amount: '0.00', currency: 'EUR' }

  test('is done where the request asks for it, and its network id is kept', async () => {
    const { status, body } = await register(asked)
    expect([status, body.result]).toEqual([
      200,
      { code: '000.100.110', description: expect.any(String), cvvResponse: 'M' },
    ])
    expect(body.resultDetails).toMatchObject({ AcquirerResponse: '85', ConnectorTxID1: expect.any(String) })
    expect(body.card.issuer.bank).toEqual(expect.any(String))
    const begun = body.resultDetails.CardholderInitiatedTransactionID
    expect((await read(body.id)).body.resultDetails).toMatchObject({
      VerifiedAt: expect.any(String),
      CardholderInitiatedTransactionID: begun,
    })
    expect(summary(await payWith(body.id, CHARGE))).toEqual(DONE)
  })

  test('is done for every card where the channel is set so', async () => {
    const verify = (verifyRegistrations: boolean) =>
      tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { verifyRegistrations } })
    await verify(true)
    const { body } = await register()
    expect(body.resultDetails.AcquirerResponse).toBe('85')
    const declined = await update(body.id, { 'card.holder': '{800.100.151}' })
    expect(summary(declined)).toEqual([400, '800.100.151'])
    expect((await read(body.id)).body.card.holder).toBe('Jane Jones')
    const updated = await update(body.id, { 'card.expiryMonth': '06' })
    expect([summary(updated), updated.body.resultDetails.AcquirerResponse]).toEqual([DONE, '85'])
    await verify(false)
    expect((await register()).body.resultDetails).not.toHaveProperty('AcquirerResponse')
  })

  test('that is declined stores nothing, and says why', async () => {
    const declined = await register({ ...asked, 'card.holder': '{800.100.151}', 'card.cvv': '123' })
    expect(summary(declined)).toEqual([400, '800.100.151'])
    expect(declined.body).toMatchObject({
      paymentBrand: 'VISA',
      card: { last4Digits: '0000' },
      resultDetails: { AcquirerResponse: '14', MerchantAdviceCode: '03' },
    })
    expect(summary(await read(declined.body.id))).toEqual([404, '100.150.200'])
  })

  test('is left out where nobody wants it: then there is nothing that a charge could follow', async () => {
    const { body } = await register()
    expect(body.resultDetails).toEqual({ ExtendedDescription: expect.any(String) })
    expect((await read(body.id)).body.resultDetails).not.toHaveProperty('VerifiedAt')
    expect(summary(await payWith(body.id, CHARGE))).toEqual([400, '600.200.501'])
  })
})
