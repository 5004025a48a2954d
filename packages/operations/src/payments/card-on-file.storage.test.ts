import { afterAll, describe, expect, test, vi } from 'vitest'
import {
  cardWithoutPayment,
  cardPayment,
  monthlyPlan,
  otherMerchant,
  type Parameters,
  summary,
  testGateway,
  simulatorOf,
} from '@tollgate/gateway/testing'
import {
  agreementRequests,
  APPROVED,
  reasonOf,
  instruction,
  INSUFFICIENT_FUNDS,
  networkIdOf,
  REFUSED,
} from '../testing/agreement-requests.ts'
import { sandboxIds } from '../directory/sandbox.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send } = tollgate
const { advanceDays, inDays, pay, charge, payWith, register } = agreementRequests(tollgate)

describe('a standing instruction', () => {
  const master = { paymentBrand: 'MASTER', 'card.number': '5454545454545454' }

  test.each<{
    name: string
    typeModeSource: string
    more?: Parameters
    changes?: Parameters
    /** A part of the reason of the refusal; undefined: the instruction is accepted. */
    reason?: string
  }>([
    {
      name: 'Mastercard without recurringType',
      typeModeSource: 'RECURRING INITIAL CIT',
      changes: master,
      reason: 'recurringType',
    },
    {
      name: 'Mastercard with recurringType',
      typeModeSource: 'RECURRING INITIAL CIT',
      more: { recurringType: 'STANDING_ORDER' },
      changes: master,
    },
    {
      name: 'a later instalment by the customer',
      typeModeSource: 'INSTALLMENT REPEATED CIT',
      reason: 'source must be MIT',
    },
    {
      name: 'a cvv in a merchant-initiated payment',
      typeModeSource: 'RECURRING INITIAL MIT',
      changes: { 'card.cvv': '123' },
      reason: 'card.cvv',
    },
    {
      name: 'numberOfInstallments outside an instalment agreement',
      typeModeSource: 'RECURRING INITIAL CIT',
      more: { numberOfInstallments: '3' },
      reason: 'numberOfInstallments must not',
    },
    {
      name: 'numberOfInstallments of zero',
      typeModeSource: 'INSTALLMENT INITIAL CIT',
      more: { numberOfInstallments: '000' },
      reason: '1 or more',
    },
    {
      name: 'an expiry in the past',
      typeModeSource: 'RECURRING INITIAL CIT',
      more: { expiry: inDays(-2) },
      reason: 'expiry',
    },
    {
      name: 'an increment without an authorisation',
      typeModeSource: 'UNSCHEDULED REPEATED MIT',
      more: { initialTransactionId: '123', industryPractice: 'INCREMENTAL_AUTH' },
      reason: 'INCREMENTAL_AUTH',
    },
  ])('is checked: $name', async ({ typeModeSource, more, changes, reason }) => {
    const answer = await pay(typeModeSource, more, changes)
    if (reason === undefined) return expect(summary(answer)).toEqual(APPROVED)
    expect(summary(answer)).toEqual(REFUSED)
    expect(reasonOf(answer)).toContain(reason)
    const read = await send('GET', `/v1/payments/${answer.body.id}`)
    expect([read.status, read.body.result.code]).toEqual([200, '600.200.501'])
  })

  test('is also checked for a registration', async () => {
    const refused = await send(
      'POST',
      '/v1/registrations',
      cardWithoutPayment({ ...master, ...instruction('RECURRING INITIAL CIT') }),
    )
    expect(summary(refused)).toEqual(REFUSED)
    expect(reasonOf(refused)).toContain('recurringType')
  })

  test('on a legacy channel may be incomplete, but the parts that were sent are checked', async () => {
    const legacy = { entityId: sandboxIds.legacyChannel }
    expect(summary(await pay('RECURRING INITIAL CIT', {}, { ...master, ...legacy }))).toEqual(APPROVED)
    expect(summary(await charge('UNSCHEDULED', undefined, {}, legacy))).toEqual(APPROVED)
    const incomplete = { 'standingInstruction.mode': 'REPEATED' }
    expect(summary(await send('POST', '/v1/payments', cardPayment({ ...incomplete, ...legacy })))).toEqual(APPROVED)
    expect(summary(await pay('RECURRING INITIAL CIT', { expiry: inDays(-2) }, legacy))).toEqual(REFUSED)
  })
})

describe('a charge', () => {
  test('sends the network id of its agreement to the acquirer', async () => {
    const sendSpy = vi.spyOn(simulatorOf(tollgate.gateway), 'send')
    const id = await register({ amount: '0.00', currency: 'EUR' })
    await payWith(id, instruction('UNSCHEDULED REPEATED MIT'))
    await payWith(id, instruction('UNSCHEDULED REPEATED MIT', { initialTransactionId: 'external-1' }))
    await payWith(id)
    const { initial_transaction_id: stored } = (await tollgate.gateway.storage.registration(id)) ?? {}
    const requests = sendSpy.mock.calls.map(([request]) => request)
    sendSpy.mockRestore()
    expect(requests.map(({ initialTransactionId }) => initialTransactionId)).toEqual([
      undefined,
      stored,
      'external-1',
      undefined,
    ])
    expect(stored).toMatch(/^\d{15}$/)
  })

  test('under an agreement that was made at another provider is accepted', async () => {
    expect(summary(await charge('UNSCHEDULED', '123456789012345'))).toEqual(APPROVED)
  })

  test('is accepted only after the agreed days, before the agreed expiry and without different terms', async () => {
    const terms = { frequency: '30', expiry: inDays(90) }
    const id = networkIdOf(await pay('RECURRING INITIAL CIT', terms))
    advanceDays(29)
    const early = await charge('RECURRING', id)
    expect([summary(early), reasonOf(early)]).toEqual([REFUSED, expect.stringContaining('frequency')])
    advanceDays(1)
    expect(summary(await charge('RECURRING', id, terms))).toEqual(APPROVED)
    expect(reasonOf(await charge('RECURRING', id, { frequency: '1' }))).toContain('frequency differs')
    expect(reasonOf(await charge('RECURRING', id, { expiry: inDays(365) }))).toContain('expiry differs')
    advanceDays(30)
    expect(summary(await charge('RECURRING', id))).toEqual(APPROVED)
    advanceDays(33)
    const late = await charge('RECURRING', id)
    expect([summary(late), reasonOf(late)]).toEqual([REFUSED, expect.stringContaining('ended')])
  })

  test('is not bound by the agreement of another merchant', async () => {
    const initialPayment = await pay('INSTALLMENT INITIAL CIT', { numberOfInstallments: '1' })
    const other = await otherMerchant(tollgate)
    const headers = { authorization: `Bearer ${other.token}` }
    const form = cardPayment({
      entityId: other.channel,
      'card.cvv': undefined,
      ...instruction('INSTALLMENT REPEATED MIT', { initialTransactionId: networkIdOf(initialPayment) }),
    })
    expect(summary(await send('POST', '/v1/payments', form, headers))).toEqual(APPROVED)
    expect(summary(await charge('INSTALLMENT', networkIdOf(initialPayment)))).toEqual(REFUSED)
  })
})

describe('instalments', () => {
  const beginInstalments = async (numberOfInstallments: string, changes: Parameters = {}) =>
    networkIdOf(await pay('INSTALLMENT INITIAL CIT', { numberOfInstallments }, { amount: '30.00', ...changes }))
  const instalment = (id: string, amount = '30.00', changes: Parameters = {}) =>
    charge('INSTALLMENT', id, {}, { amount, ...changes })

  test('do not exceed the agreed number; declined instalments do not count', async () => {
    const id = await beginInstalments('3')
    expect(summary(await instalment(id))).toEqual(APPROVED)
    expect(summary(await instalment(id, '30.00', INSUFFICIENT_FUNDS))).toEqual([400, '800.100.155'])
    expect(summary(await instalment(id))).toEqual(APPROVED)
    const fourth = await instalment(id)
    expect([summary(fourth), reasonOf(fourth)]).toEqual([REFUSED, expect.stringContaining('all instalments')])
  })

  test('do not exceed the agreed total amount, and have its currency', async () => {
    const id = await beginInstalments('3')
    const excessive = await instalment(id, '60.01')
    expect([summary(excessive), reasonOf(excessive)]).toEqual([
      REFUSED,
      expect.stringContaining('exceed the agreed total'),
    ])
    expect(summary(await instalment(id, '50.00'))).toEqual(APPROVED)
    expect(summary(await instalment(id, '10.01'))).toEqual(REFUSED)
    expect(summary(await instalment(id, '10.00'))).toEqual(APPROVED)
    expect(reasonOf(await instalment(await beginInstalments('3'), '30.00', { currency: 'USD' }))).toContain('currency')
  })

  test('may have any amount if the agreement has only a number of instalments', async () => {
    const id = await beginInstalments('2', { paymentType: 'PA', amount: '0.00' })
    expect(summary(await instalment(id, '10.00'))).toEqual(APPROVED)
    expect(summary(await instalment(id, '5000.00'))).toEqual(APPROVED)
    expect(summary(await instalment(id, '1.00'))).toEqual(REFUSED)
  })

  test('are counted separately from a subscription with the same registration', async () => {
    const id = await register()
    const plan = await payWith(id, instruction('INSTALLMENT INITIAL CIT', { numberOfInstallments: '2' }))
    advanceDays(1)
    const subscription = await payWith(id, instruction('RECURRING INITIAL CIT', { frequency: '7' }))
    advanceDays(1)
    expect(summary(await payWith(id, instruction('INSTALLMENT REPEATED MIT')))).toEqual(APPROVED)
    expect(summary(await payWith(id, instruction('INSTALLMENT REPEATED MIT')))).toEqual(REFUSED)
    expect(reasonOf(await payWith(id, instruction('RECURRING REPEATED MIT')))).toContain('frequency')
    advanceDays(6)
    expect(summary(await payWith(id, instruction('RECURRING REPEATED MIT')))).toEqual(APPROVED)
    const row = await tollgate.gateway.storage.registration(id)
    expect(JSON.parse(row?.agreements ?? '')).toEqual({
      INSTALLMENT: networkIdOf(plan),
      RECURRING: networkIdOf(subscription),
    })
    expect(row?.initial_transaction_id).toBe(networkIdOf(plan))
  })
})

describe('an agreement that begins without a payment', () => {
  const store = (typeModeSource: string, changes: Parameters = {}) =>
    send('POST', '/v1/registrations', cardWithoutPayment({ ...instruction(typeModeSource), ...changes }))
  const read = (id: string) => send('GET', `/v1/registrations/${id}`)

  test('is verified with an amount of zero, stores the network id, and can be charged and scheduled', async () => {
    const stored = await store('RECURRING INITIAL CIT')
    expect(summary(stored)).toEqual(APPROVED)
    expect(stored.body).not.toHaveProperty('amount')
    const agreementId = networkIdOf(stored)
    expect(agreementId).toMatch(/^\d+$/)
    expect((await read(stored.body.id)).body.resultDetails).toMatchObject({
      VerifiedAt: expect.any(String),
      CardholderInitiatedTransactionID: agreementId,
    })
    advanceDays(1)
    const charged = await payWith(stored.body.id, instruction('RECURRING REPEATED MIT'))
    expect(summary(charged)).toEqual(APPROVED)
    const row = (await tollgate.gateway.storage.treeOf(charged.body.id))?.transactions[0]
    expect(row?.initial_transaction_id).toBe(agreementId)
    const planned = await send('POST', '/scheduling/v1/schedules', monthlyPlan(stored.body.id))
    expect(summary(planned)).toEqual(APPROVED)
  })

  test('can begin with the update of a registration', async () => {
    const { body } = await send('POST', '/v1/registrations', cardWithoutPayment())
    expect(body.resultDetails).not.toHaveProperty('CardholderInitiatedTransactionID')
    const updated = await send('POST', `/v1/registrations/${body.id}`, instruction('RECURRING INITIAL CIT'))
    expect(summary(updated)).toEqual(APPROVED)
    expect(networkIdOf(updated)).toMatch(/^\d+$/)
    expect(networkIdOf(await read(body.id))).toBe(networkIdOf(updated))
  })

  test('is not stored if the verification is declined', async () => {
    const stolen = await store('UNSCHEDULED INITIAL CIT', { 'card.holder': '{800.100.165}' })
    expect(summary(stolen)).toEqual([400, '800.100.165'])
    expect((await read(stolen.body.id)).status).toBe(404)
  })

  test.each<{ reason: string; changes: Parameters }>([
    { reason: 'its network id is sent', changes: { 'standingInstruction.initialTransactionId': 'external-1' } },
    {
      reason: 'it is migrated',
      changes: { 'recurringMigration.paymentType': 'DB', 'recurringMigration.amount': '1.00' },
    },
  ])('is not verified if it began at another provider: $reason', async ({ changes }) => {
    const stored = await store('RECURRING INITIAL CIT', changes)
    expect(summary(stored)).toEqual(APPROVED)
    expect((await read(stored.body.id)).body.resultDetails).not.toHaveProperty('VerifiedAt')
  })
})

describe('industry practices', () => {
  const chargeFor = (industryPractice: string, initialTransactionId: string, changes?: Parameters) =>
    charge('UNSCHEDULED', initialTransactionId, { industryPractice }, changes)

  test('RESUBMISSION repeats a charge declined for lack of funds, within two weeks, until it is paid', async () => {
    const declined = networkIdOf(await pay('UNSCHEDULED INITIAL CIT', {}, INSUFFICIENT_FUNDS))
    advanceDays(10)
    expect(summary(await charge('UNSCHEDULED', declined))).toEqual(REFUSED)
    expect(summary(await chargeFor('RESUBMISSION', declined, INSUFFICIENT_FUNDS))).toEqual([400, '800.100.155'])
    advanceDays(3)
    expect(summary(await chargeFor('RESUBMISSION', declined))).toEqual(APPROVED)
    advanceDays(0.1)
    expect(reasonOf(await chargeFor('RESUBMISSION', declined))).toContain('RESUBMISSION repeats only')

    // A RESUBMISSION can also refer to the network id of a charge.
    const agreementId = networkIdOf(await pay('UNSCHEDULED INITIAL CIT'))
    const charged = networkIdOf(await charge('UNSCHEDULED', agreementId, {}, INSUFFICIENT_FUNDS))
    advanceDays(1)
    expect(summary(await chargeFor('RESUBMISSION', charged))).toEqual(APPROVED)
    advanceDays(1)
    expect(reasonOf(await chargeFor('RESUBMISSION', charged))).toContain('RESUBMISSION repeats only')
    expect(reasonOf(await chargeFor('RESUBMISSION', agreementId))).toContain('RESUBMISSION repeats only')

    const declinedEarlier = networkIdOf(await pay('UNSCHEDULED INITIAL CIT', {}, INSUFFICIENT_FUNDS))
    advanceDays(14)
    expect(reasonOf(await chargeFor('RESUBMISSION', declinedEarlier))).toContain('14 days')
    const stolen = networkIdOf(await pay('UNSCHEDULED INITIAL CIT', {}, { 'card.holder': '{800.100.159}' }))
    advanceDays(1)
    expect(summary(await chargeFor('RESUBMISSION', stolen))).toEqual(REFUSED)
  })

  test.each(['REAUTHORIZATION', 'DELAYED_CHARGES'])(
    '%s is accepted for thirty days after a payment',
    async (practice) => {
      const { body } = await send('POST', '/v1/payments', cardPayment({ createRegistration: 'true' }))
      advanceDays(29)
      const repeated = instruction('UNSCHEDULED REPEATED MIT', { industryPractice: practice })
      expect(summary(await payWith(body.registrationId, repeated))).toEqual(APPROVED)
      advanceDays(1)
      const late = await payWith(body.registrationId, repeated)
      expect([summary(late), reasonOf(late)]).toEqual([REFUSED, expect.stringContaining('30 days')])
    },
  )

  test('NO_SHOW is accepted after a reservation', async () => {
    const reservation = await pay('UNSCHEDULED INITIAL CIT', {}, { paymentType: 'PA', amount: '0.00' })
    advanceDays(60)
    expect(summary(await chargeFor('NO_SHOW', networkIdOf(reservation)))).toEqual(APPROVED)
  })

  test('INCREMENTAL_AUTH sends the network id of the increased authorisation to the acquirer', async () => {
    const preauthorisation = await send('POST', '/v1/payments', cardPayment({ paymentType: 'PA' }))
    const increment = { paymentType: 'PA', amount: '8.00', currency: 'EUR' }
    const sendSpy = vi.spyOn(simulatorOf(tollgate.gateway), 'send')
    const practice = instruction('UNSCHEDULED REPEATED MIT', { industryPractice: 'INCREMENTAL_AUTH' })
    const path = `/v1/payments/${preauthorisation.body.id}`
    expect(summary(await send('POST', path, { ...increment, ...practice }))).toEqual(APPROVED)
    expect(sendSpy.mock.calls[0]?.[0].initialTransactionId).toBe(networkIdOf(preauthorisation))
    sendSpy.mockRestore()
  })

  test('such as NO_SHOW are refused without a stored payment', async () => {
    const answer = await chargeFor('NO_SHOW', '123456789012345')
    expect([summary(answer), reasonOf(answer)]).toEqual([REFUSED, expect.stringContaining('names no payment')])
  })
})

describe('a registration', () => {
  test('changes only with its first approved payment, not with payouts', async () => {
    const id = await register()
    const version = async () => (await tollgate.gateway.storage.treeOf(id))?.version
    await payWith(id, { 'customParameters[forceResultCode]': '800.100.155' })
    await payWith(id, { paymentType: 'CD' })
    expect([await version(), (await tollgate.gateway.storage.registration(id))?.initial_transaction_id]).toEqual([
      1,
      null,
    ])
    const first = await payWith(id)
    await payWith(id)
    await payWith(id, instruction('UNSCHEDULED REPEATED MIT'))
    expect(await version()).toBe(2)
    expect((await tollgate.gateway.storage.registration(id))?.initial_transaction_id).toBe(networkIdOf(first))
  })

  test('stores the sent network id of an agreement that was made at another provider', async () => {
    const id = await register(instruction('RECURRING INITIAL CIT', { initialTransactionId: '987654321' }))
    const charged = await payWith(id, instruction('RECURRING REPEATED MIT'))
    expect(summary(charged)).toEqual(APPROVED)
    const [row] = (await tollgate.gateway.storage.treeOf(charged.body.id))?.transactions ?? []
    expect(row?.initial_transaction_id).toBe('987654321')
  })

  test('stores the network id of the payment that creates it and begins an agreement', async () => {
    const initial = instruction('UNSCHEDULED INITIAL CIT', { initialTransactionId: '987654321' })
    const payment = await send('POST', '/v1/payments', cardPayment({ createRegistration: 'true', ...initial }))
    const row = await tollgate.gateway.storage.registration(payment.body.registrationId)
    expect(row?.initial_transaction_id).toBe(networkIdOf(payment))
  })

  test('begins an agreement with its verification', async () => {
    const terms = instruction('INSTALLMENT INITIAL CIT', { numberOfInstallments: '2' })
    const id = await register({ amount: '0.00', currency: 'EUR', ...terms })
    advanceDays(1)
    const answers = []
    const repeated = instruction('INSTALLMENT REPEATED MIT')
    while (answers.length < 3) answers.push(summary(await payWith(id, repeated)))
    expect(answers).toEqual([APPROVED, APPROVED, REFUSED])
  })
})

test('a payment without a standing instruction stores no data of an agreement', async () => {
  const { body } = await send('POST', '/v1/payments', cardPayment())
  const [row] = (await tollgate.gateway.storage.treeOf(body.id))?.transactions ?? []
  expect([row?.network_transaction_id, row?.initial_transaction_id, row?.facts]).toEqual([null, null, '{}'])
})
