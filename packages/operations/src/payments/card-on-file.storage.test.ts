import type { AcquirerRequest } from '@tollgate/connectors'
import { afterAll, describe, expect, test, vi } from 'vitest'
import {
  cardWithoutPayment,
  cardPayment,
  monthlyPlan,
  otherMerchant,
  type Parameters,
  summary,
  testGateway,
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
const { later, inDays, pay, charge, payWith, register } = agreementRequests(tollgate)

describe('a standing instruction', () => {
  const master = { paymentBrand: 'MASTER', 'card.number': '5454545454545454' }

  test.each<{ what: string; words: string; more?: Parameters; changes?: Parameters; wrong?: string }>([
    {
      what: 'Mastercard without recurringType',
      words: 'RECURRING INITIAL CIT',
      changes: master,
      wrong: 'recurringType',
    },
    {
      what: 'Mastercard with recurringType',
      words: 'RECURRING INITIAL CIT',
      more: { recurringType: 'STANDING_ORDER' },
      changes: master,
    },
    { what: 'a later instalment by the customer', words: 'INSTALLMENT REPEATED CIT', wrong: 'source must be MIT' },
    {
      what: 'a cvv without the customer',
      words: 'RECURRING INITIAL MIT',
      changes: { 'card.cvv': '123' },
      wrong: 'card.cvv',
    },
    {
      what: 'a number of instalments outside an instalment agreement',
      words: 'RECURRING INITIAL CIT',
      more: { numberOfInstallments: '3' },
      wrong: 'numberOfInstallments must not',
    },
    {
      what: 'a number of zero instalments',
      words: 'INSTALLMENT INITIAL CIT',
      more: { numberOfInstallments: '000' },
      wrong: '1 or more',
    },
    { what: 'an expiry in the past', words: 'RECURRING INITIAL CIT', more: { expiry: inDays(-2) }, wrong: 'expiry' },
    {
      what: 'an increment without an authorisation',
      words: 'UNSCHEDULED REPEATED MIT',
      more: { initialTransactionId: '123', industryPractice: 'INCREMENTAL_AUTH' },
      wrong: 'INCREMENTAL_AUTH',
    },
  ])('is checked: $what', async ({ words, more, changes, wrong }) => {
    const answer = await pay(words, more, changes)
    if (wrong === undefined) return expect(summary(answer)).toEqual(APPROVED)
    expect(summary(answer)).toEqual(REFUSED)
    expect(reasonOf(answer)).toContain(wrong)
    const again = await send('GET', `/v1/payments/${answer.body.id}`)
    expect([again.status, again.body.result.code]).toEqual([200, '600.200.501'])
  })

  test('is also checked for a registration', async () => {
    const wrong = await send(
      'POST',
      '/v1/registrations',
      cardWithoutPayment({ ...master, ...instruction('RECURRING INITIAL CIT') }),
    )
    expect(summary(wrong)).toEqual(REFUSED)
    expect(reasonOf(wrong)).toContain('recurringType')
  })

  test('of a legacy channel may be incomplete, but its sent parts are checked', async () => {
    const legacy = { entityId: sandboxIds.legacyChannel }
    expect(summary(await pay('RECURRING INITIAL CIT', {}, { ...master, ...legacy }))).toEqual(APPROVED)
    expect(summary(await charge('UNSCHEDULED', undefined, {}, legacy))).toEqual(APPROVED)
    const half = { 'standingInstruction.mode': 'REPEATED' }
    expect(summary(await send('POST', '/v1/payments', cardPayment({ ...half, ...legacy })))).toEqual(APPROVED)
    expect(summary(await pay('RECURRING INITIAL CIT', { expiry: inDays(-2) }, legacy))).toEqual(REFUSED)
  })
})

describe('a charge', () => {
  test('sends the network id of its agreement to the acquirer', async () => {
    const requests: AcquirerRequest[] = []
    const { acquirers } = tollgate.gateway
    const { direct } = acquirers
    Object.assign(acquirers, {
      direct: {
        ...direct,
        send(request: AcquirerRequest) {
          requests.push(request)
          return direct.send(request)
        },
      },
    })
    const id = await register({ amount: '0.00', currency: 'EUR' })
    await payWith(id, instruction('UNSCHEDULED REPEATED MIT'))
    await payWith(id, instruction('UNSCHEDULED REPEATED MIT', { initialTransactionId: 'external-1' }))
    await payWith(id)
    const { initial_transaction_id: stored } = (await tollgate.gateway.storage.registration(id)) ?? {}
    Object.assign(acquirers, { direct })
    expect(requests.map((each) => each.initialTransactionId)).toEqual([undefined, stored, 'external-1', undefined])
    expect(stored).toMatch(/^\d{15}$/)
  })

  test('under an agreement that was made at another provider is accepted', async () => {
    expect(summary(await charge('UNSCHEDULED', '123456789012345'))).toEqual(APPROVED)
  })

  test('is bound by the agreed days between charges and the agreed expiry', async () => {
    const terms = { frequency: '30', expiry: inDays(90) }
    const begun = await pay('RECURRING INITIAL CIT', terms)
    const id = networkIdOf(begun)
    later(29)
    const early = await charge('RECURRING', id)
    expect([summary(early), reasonOf(early)]).toEqual([REFUSED, expect.stringContaining('frequency')])
    later(1)
    expect(summary(await charge('RECURRING', id, terms))).toEqual(APPROVED)
    expect(reasonOf(await charge('RECURRING', id, { frequency: '1' }))).toContain('frequency differs')
    expect(reasonOf(await charge('RECURRING', id, { expiry: inDays(365) }))).toContain('expiry differs')
    later(30)
    expect(summary(await charge('RECURRING', id))).toEqual(APPROVED)
    later(33)
    const late = await charge('RECURRING', id)
    expect([summary(late), reasonOf(late)]).toEqual([REFUSED, expect.stringContaining('ended')])
  })

  test('is independent of agreements of other merchants', async () => {
    const begun = await pay('INSTALLMENT INITIAL CIT', { numberOfInstallments: '1' })
    const other = await otherMerchant(tollgate)
    const headers = { authorization: `Bearer ${other.token}` }
    const form = cardPayment({
      entityId: other.channel,
      'card.cvv': undefined,
      ...instruction('INSTALLMENT REPEATED MIT', { initialTransactionId: networkIdOf(begun) }),
    })
    expect(summary(await send('POST', '/v1/payments', form, headers))).toEqual(APPROVED)
    expect(summary(await charge('INSTALLMENT', networkIdOf(begun)))).toEqual(REFUSED)
  })
})

describe('instalments', () => {
  const agree = async (numberOfInstallments: string, changes: Parameters = {}) =>
    networkIdOf(await pay('INSTALLMENT INITIAL CIT', { numberOfInstallments }, { amount: '30.00', ...changes }))
  const part = (id: string, amount = '30.00', changes: Parameters = {}) =>
    charge('INSTALLMENT', id, {}, { amount, ...changes })

  test('do not exceed the agreed number, without declined ones', async () => {
    const id = await agree('3')
    expect(summary(await part(id))).toEqual(APPROVED)
    expect(summary(await part(id, '30.00', INSUFFICIENT_FUNDS))).toEqual([400, '800.100.155'])
    expect(summary(await part(id))).toEqual(APPROVED)
    const fourth = await part(id)
    expect([summary(fourth), reasonOf(fourth)]).toEqual([REFUSED, expect.stringContaining('all instalments')])
  })

  test('do not exceed the agreed total amount', async () => {
    const id = await agree('3')
    const much = await part(id, '60.01')
    expect([summary(much), reasonOf(much)]).toEqual([REFUSED, expect.stringContaining('exceed the agreed total')])
    expect(summary(await part(id, '50.00'))).toEqual(APPROVED)
    expect(summary(await part(id, '10.01'))).toEqual(REFUSED)
    expect(summary(await part(id, '10.00'))).toEqual(APPROVED)
    expect(reasonOf(await part(await agree('3'), '30.00', { currency: 'USD' }))).toContain('currency')
  })

  test('may have any amount if only their number was agreed', async () => {
    const id = await agree('2', { paymentType: 'PA', amount: '0.00' })
    expect(summary(await part(id, '10.00'))).toEqual(APPROVED)
    expect(summary(await part(id, '5000.00'))).toEqual(APPROVED)
    expect(summary(await part(id, '1.00'))).toEqual(REFUSED)
  })

  test('are counted separately from a subscription with the same registration', async () => {
    const id = await register()
    const plan = await payWith(id, instruction('INSTALLMENT INITIAL CIT', { numberOfInstallments: '2' }))
    later(1)
    const subscription = await payWith(id, instruction('RECURRING INITIAL CIT', { frequency: '7' }))
    later(1)
    expect(summary(await payWith(id, instruction('INSTALLMENT REPEATED MIT')))).toEqual(APPROVED)
    expect(summary(await payWith(id, instruction('INSTALLMENT REPEATED MIT')))).toEqual(REFUSED)
    expect(reasonOf(await payWith(id, instruction('RECURRING REPEATED MIT')))).toContain('frequency')
    later(6)
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
  const store = (words: string, changes: Parameters = {}) =>
    send('POST', '/v1/registrations', cardWithoutPayment({ ...instruction(words), ...changes }))
  const read = (id: string) => send('GET', `/v1/registrations/${id}`)

  test('is verified with zero, stores the network id, and can be charged and scheduled', async () => {
    const stored = await store('RECURRING INITIAL CIT')
    expect(summary(stored)).toEqual(APPROVED)
    expect(stored.body).not.toHaveProperty('amount')
    const begun = networkIdOf(stored)
    expect(begun).toMatch(/^\d+$/)
    expect((await read(stored.body.id)).body.resultDetails).toMatchObject({
      VerifiedAt: expect.any(String),
      CardholderInitiatedTransactionID: begun,
    })
    later(1)
    const charged = await payWith(stored.body.id, instruction('RECURRING REPEATED MIT'))
    expect(summary(charged)).toEqual(APPROVED)
    const row = (await tollgate.gateway.storage.treeOf(charged.body.id))?.transactions[0]
    expect(row?.initial_transaction_id).toBe(begun)
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

  test.each<{ what: string; changes: Parameters }>([
    { what: 'its network id is sent', changes: { 'standingInstruction.initialTransactionId': 'external-1' } },
    {
      what: 'it is migrated',
      changes: { 'recurringMigration.paymentType': 'DB', 'recurringMigration.amount': '1.00' },
    },
  ])('is not verified if it began at another provider: $what', async ({ changes }) => {
    const stored = await store('RECURRING INITIAL CIT', changes)
    expect(summary(stored)).toEqual(APPROVED)
    expect((await read(stored.body.id)).body.resultDetails).not.toHaveProperty('VerifiedAt')
  })
})

describe('industry practices', () => {
  const follow = (industryPractice: string, initialTransactionId: string, changes?: Parameters) =>
    charge('UNSCHEDULED', initialTransactionId, { industryPractice }, changes)

  test('RESUBMISSION repeats a charge declined for lack of funds, within two weeks, until it is paid', async () => {
    const declined = networkIdOf(await pay('UNSCHEDULED INITIAL CIT', {}, INSUFFICIENT_FUNDS))
    later(10)
    expect(summary(await charge('UNSCHEDULED', declined))).toEqual(REFUSED)
    expect(summary(await follow('RESUBMISSION', declined, INSUFFICIENT_FUNDS))).toEqual([400, '800.100.155'])
    later(3)
    expect(summary(await follow('RESUBMISSION', declined))).toEqual(APPROVED)
    later(0.1)
    expect(reasonOf(await follow('RESUBMISSION', declined))).toContain('RESUBMISSION repeats only')

    // The network id of a charge can also be referred to.
    const begun = networkIdOf(await pay('UNSCHEDULED INITIAL CIT'))
    const charged = networkIdOf(await charge('UNSCHEDULED', begun, {}, INSUFFICIENT_FUNDS))
    later(1)
    expect(summary(await follow('RESUBMISSION', charged))).toEqual(APPROVED)
    later(1)
    expect(reasonOf(await follow('RESUBMISSION', charged))).toContain('RESUBMISSION repeats only')
    expect(reasonOf(await follow('RESUBMISSION', begun))).toContain('RESUBMISSION repeats only')

    const another = networkIdOf(await pay('UNSCHEDULED INITIAL CIT', {}, INSUFFICIENT_FUNDS))
    later(14)
    expect(reasonOf(await follow('RESUBMISSION', another))).toContain('14 days')
    const stolen = networkIdOf(await pay('UNSCHEDULED INITIAL CIT', {}, { 'card.holder': '{800.100.159}' }))
    later(1)
    expect(summary(await follow('RESUBMISSION', stolen))).toEqual(REFUSED)
  })

  test.each(['REAUTHORIZATION', 'DELAYED_CHARGES'])(
    '%s is accepted for thirty days after a payment',
    async (practice) => {
      const { body } = await send('POST', '/v1/payments', cardPayment({ createRegistration: 'true' }))
      later(29)
      const words = instruction('UNSCHEDULED REPEATED MIT', { industryPractice: practice })
      expect(summary(await payWith(body.registrationId, words))).toEqual(APPROVED)
      later(1)
      const late = await payWith(body.registrationId, words)
      expect([summary(late), reasonOf(late)]).toEqual([REFUSED, expect.stringContaining('30 days')])
    },
  )

  test('NO_SHOW is accepted after a reservation', async () => {
    const guarantee = await pay('UNSCHEDULED INITIAL CIT', {}, { paymentType: 'PA', amount: '0.00' })
    later(60)
    expect(summary(await follow('NO_SHOW', networkIdOf(guarantee)))).toEqual(APPROVED)
  })

  test('INCREMENTAL_AUTH sends the network id of the increased authorisation to the acquirer', async () => {
    const preauthorisation = await send('POST', '/v1/payments', cardPayment({ paymentType: 'PA' }))
    const more = { paymentType: 'PA', amount: '8.00', currency: 'EUR' }
    const sent = vi.spyOn(tollgate.gateway.acquirers.direct, 'send')
    const practice = instruction('UNSCHEDULED REPEATED MIT', { industryPractice: 'INCREMENTAL_AUTH' })
    const path = `/v1/payments/${preauthorisation.body.id}`
    expect(summary(await send('POST', path, { ...more, ...practice }))).toEqual(APPROVED)
    expect(sent.mock.calls[0]?.[0].initialTransactionId).toBe(networkIdOf(preauthorisation))
    sent.mockRestore()
  })

  test('are refused without a stored payment', async () => {
    const answer = await follow('NO_SHOW', '123456789012345')
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
    const words = instruction('UNSCHEDULED INITIAL CIT', { initialTransactionId: '987654321' })
    const begun = await send('POST', '/v1/payments', cardPayment({ createRegistration: 'true', ...words }))
    const row = await tollgate.gateway.storage.registration(begun.body.registrationId)
    expect(row?.initial_transaction_id).toBe(networkIdOf(begun))
  })

  test('begins an agreement with its verification', async () => {
    const terms = instruction('INSTALLMENT INITIAL CIT', { numberOfInstallments: '2' })
    const id = await register({ amount: '0.00', currency: 'EUR', ...terms })
    later(1)
    const parts = [1, 2, 3].map(() => () => payWith(id, instruction('INSTALLMENT REPEATED MIT')))
    const codes = []
    for (const each of parts) codes.push(summary(await each()))
    expect(codes).toEqual([APPROVED, APPROVED, REFUSED])
  })
})

test('a payment without a standing instruction stores no data of an agreement', async () => {
  const { body } = await send('POST', '/v1/payments', cardPayment())
  const [row] = (await tollgate.gateway.storage.treeOf(body.id))?.transactions ?? []
  expect([row?.network_transaction_id, row?.initial_transaction_id, row?.facts]).toEqual([null, null, '{}'])
})
