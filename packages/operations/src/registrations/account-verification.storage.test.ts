import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { cardWithoutPayment, type Parameters, remoteAcquirer, summary, testGateway } from '@tollgate/gateway/testing'
import { BEGIN, CHARGE, registrationRequests } from '../testing/registration-requests.ts'
import { sandboxIds } from '../directory/sandbox.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send } = tollgate
const { payWith, read, update } = registrationRequests(tollgate)
const setDay = (day: string) => void (tollgate.clock.nowMs = Date.parse(`${day}T09:00:00Z`))
beforeEach(() => setDay('2026-05-04'))

const DONE = [200, '000.100.110']

describe('verification', () => {
  const register = (changes: Parameters = {}) => send('POST', '/v1/registrations', cardWithoutPayment(changes))
  const zeroAmount = { amount: '0.00', currency: 'EUR' }

  test('is done for a request with amount 0.00, and its network transaction id is stored', async () => {
    const { status, body } = await register(zeroAmount)
    expect([status, body.result]).toEqual([
      200,
      { code: '000.100.110', description: expect.any(String), cvvResponse: 'M' },
    ])
    expect(body.resultDetails).toMatchObject({ AcquirerResponse: '85', ConnectorTxID1: expect.any(String) })
    expect(body.card.issuer.bank).toEqual(expect.any(String))
    const networkId = body.resultDetails.CardholderInitiatedTransactionID
    expect((await read(body.id)).body.resultDetails).toMatchObject({
      VerifiedAt: expect.any(String),
      CardholderInitiatedTransactionID: networkId,
    })
    expect(summary(await payWith(body.id, CHARGE))).toEqual(DONE)
  })

  test('is done for every new or updated card if the channel has verifyRegistrations', async () => {
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

  test('takes no place of a request in progress while the acquirer answers', async () => {
    const acquirer = remoteAcquirer()
    const { acquirers, directory, fairQueue } = tollgate.gateway
    const { simulator } = acquirers
    Object.assign(acquirers, { simulator: acquirer.connector })
    const registered = register(zeroAmount)
    const request = await acquirer.nthRequest(0)
    const { inProgress } = fairQueue.queueOf(directory.tenantSettingsOf(sandboxIds.channel).tenant)
    request.answer()
    expect([inProgress, summary(await registered)]).toEqual([0, DONE])
    Object.assign(acquirers, { simulator })
  })

  test('of the card of a wallet is done by an update, and a charge before the update is refused', async () => {
    const applePay = {
      'walletA.source': 'web',
      'card.number': '4200000000000000',
      'card.expiryMonth': '05',
      'card.expiryYear': '2034',
      'threeDSecure.verificationId': 'A'.repeat(28),
      'threeDSecure.eci': '05',
    }
    const { body } = await send('POST', '/v1/registrations', applePay)
    expect(body.paymentBrand).toBe('APPLEPAY')
    expect(summary(await payWith(body.id, CHARGE))).toEqual([400, '600.200.501'])
    expect((await update(body.id, zeroAmount)).body.resultDetails.AcquirerResponse).toBe('85')
    expect(summary(await payWith(body.id, CHARGE))).toEqual(DONE)
  })

  test('of a stored card is done by an update, which is refused if the acquirer declines', async () => {
    const { body } = await register()
    setDay('2026-06-04')
    const verified = await update(body.id, zeroAmount)
    expect([summary(verified), verified.body.resultDetails.AcquirerResponse]).toEqual([DONE, '85'])
    const networkId = verified.body.resultDetails.CardholderInitiatedTransactionID
    expect((await read(body.id)).body.resultDetails).toMatchObject({
      VerifiedAt: '2026-06-04 09:00:00.000+0000',
      CardholderInitiatedTransactionID: networkId,
    })
    expect(summary(await payWith(body.id, CHARGE))).toEqual(DONE)
    const declined = await update(body.id, { ...zeroAmount, 'customParameters[forceResultCode]': '800.100.151' })
    expect(summary(declined)).toEqual([400, '800.100.151'])
  })

  test('of a new card in an update begins the agreement that the update contains', async () => {
    const { body } = await register({ ...zeroAmount, ...BEGIN })
    const installment = { 'standingInstruction.type': 'INSTALLMENT', 'standingInstruction.numberOfInstallments': '1' }
    const initial = { 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT' }
    const otherCard = { 'card.number': '4111111111111111', ...zeroAmount, ...installment, ...initial }
    const refused = await update(body.id, { ...otherCard, 'standingInstruction.expiry': '2001-01-01' })
    expect(summary(refused)).toEqual([400, '600.200.501'])
    const updated = await update(body.id, otherCard)
    expect(summary(updated)).toEqual(DONE)
    const charge = { ...CHARGE, ...installment, 'standingInstruction.recurringType': undefined }
    const charges = [summary(await payWith(body.id, charge)), summary(await payWith(body.id, charge))]
    expect(charges).toEqual([DONE, [400, '600.200.501']])
    // The earlier agreement, a subscription, continues.
    const charged = await payWith(body.id, CHARGE)
    const row = (await tollgate.gateway.storage.treeOf(charged.body.id))?.transactions[0]
    expect(row?.initial_transaction_id).toBe(body.resultDetails.CardholderInitiatedTransactionID)
  })

  test('that is declined stores nothing, and the answer contains the decline', async () => {
    const declined = await register({ ...zeroAmount, 'card.holder': '{800.100.151}', 'card.cvv': '123' })
    expect(summary(declined)).toEqual([400, '800.100.151'])
    expect(declined.body).toMatchObject({
      paymentBrand: 'VISA',
      card: { last4Digits: '0000' },
      resultDetails: { AcquirerResponse: '14', MerchantAdviceCode: '03' },
    })
    expect(summary(await read(declined.body.id))).toEqual([404, '100.150.200'])
  })

  test('is omitted by default, and a charge without a verification is refused', async () => {
    const { body } = await register()
    expect(body.resultDetails).toEqual({ ExtendedDescription: expect.any(String) })
    expect((await read(body.id)).body.resultDetails).not.toHaveProperty('VerifiedAt')
    expect(summary(await payWith(body.id, CHARGE))).toEqual([400, '600.200.501'])
  })
})
