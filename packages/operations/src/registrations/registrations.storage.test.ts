import { DAY_MS } from '@tollgate/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import {
  cardWithoutPayment,
  cardPayment,
  otherMerchant,
  type Parameters,
  summary,
  testGateway,
} from '@tollgate/gateway/testing'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, gateway } = tollgate

const register = (changes?: Parameters) => send('POST', '/v1/registrations', cardWithoutPayment(changes))
const payWith = (id: string, changes: Parameters = {}) =>
  send('POST', `/v1/registrations/${id}/payments`, { amount: '92.00', currency: 'EUR', paymentType: 'DB', ...changes })
const deregister = (id: string, changes: Parameters = {}) => send('DELETE', `/v1/registrations/${id}`, changes)
const read = (id: string, changes: Parameters = {}) => send('GET', `/v1/registrations/${id}`, changes)
const update = (id: string, changes: Parameters = {}) => send('POST', `/v1/registrations/${id}`, changes)
const extend = (id: string, changes: Parameters = {}) => send('POST', `/v1/registrations/${id}/extendlife`, changes)

describe('POST /v1/registrations', () => {
  test('answers with the registration id and the masked card', async () => {
    const { status, body } = await register({ 'customer.givenName': 'Jane', 'customer.surname': 'Jones' })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      paymentBrand: 'VISA',
      result: { code: '000.100.110', description: expect.any(String) },
      resultDetails: { ExtendedDescription: expect.any(String) },
      card: { bin: '420000', last4Digits: '0000', holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' },
      customer: { givenName: 'Jane', surname: 'Jones' },
      merchant: { bankAccount: expect.anything() },
      buildNumber: expect.any(String),
      timestamp: expect.any(String),
      ndc: expect.any(String),
    })
  })

  test('creates two concurrent registrations with ids that differ in their first 12 digits', async () => {
    const [first, second] = await Promise.all([register(), register()])
    expect(first.body.id.slice(0, 12)).not.toBe(second.body.id.slice(0, 12))
  })

  test('a brand that was not sent is detected', async () => {
    const { body } = await register({ paymentBrand: undefined })
    expect([body.paymentBrand, body.result.code]).toEqual(['VISA', '000.100.110'])
  })

  test('refuses a paymentType: "paymentType must NOT be sent"', async () => {
    const { status, body } = await register({ paymentType: 'DB' })
    expect(status).toBe(400)
    expect(body.result.parameterErrors).toEqual([{ name: 'paymentType', value: 'DB', message: 'must NOT be sent' }])
  })

  test.each<{ fault: string; changes: Parameters; code: string }>([
    { fault: 'a wrong check digit', changes: { 'card.number': '4200000000000001' }, code: '100.100.101' },
    { fault: 'an expired card', changes: { 'card.expiryYear': '2020' }, code: '100.100.303' },
    { fault: 'no card number', changes: { 'card.number': undefined }, code: '200.300.404' },
    { fault: 'a brand that is not accepted', changes: { entityId: sandboxIds.mastercardChannel }, code: '600.200.500' },
  ])('refuses $fault with $code and stores nothing', async ({ changes, code }) => {
    const answer = await register(changes)
    expect(summary(answer)).toEqual([400, code])
    expect(summary(await payWith(answer.body.id, { entityId: changes['entityId'] ?? sandboxIds.channel }))).toEqual([
      404,
      '100.150.200',
    ])
  })

  test('creates no payment', async () => {
    const { body } = await register()
    expect(summary(await send('GET', `/v1/payments/${body.id}`))).toEqual([404, '700.400.580'])
  })
})

describe('createRegistration', () => {
  test.each(['PA', 'DB', 'CD'])('a %s with the value true answers with its new registration', async (paymentType) => {
    const paid = await send('POST', '/v1/payments', cardPayment({ paymentType, createRegistration: 'true' }))
    expect(summary(paid)).toEqual([200, '000.100.110'])
    expect(paid.body.registrationId).toMatch(/^[0-9a-f]{32}$/)
    expect(paid.body.registrationId).not.toBe(paid.body.id)
    expect(summary(await payWith(paid.body.registrationId))).toEqual([200, '000.100.110'])
  })

  test.each<{ name: string; changes: Parameters }>([
    { name: 'a payment with createRegistration=false', changes: { createRegistration: 'false' } },
    { name: 'a declined payment', changes: { createRegistration: 'true', 'card.holder': '{800.100.152}' } },
    { name: 'a refused card', changes: { createRegistration: 'true', 'card.cvv': '1234' } },
  ])('$name is answered without a registration', async ({ changes }) => {
    const { body } = await send('POST', '/v1/payments', cardPayment(changes))
    expect(body).not.toHaveProperty('registrationId')
  })
})

describe('POST /v1/registrations/{id}/payments', () => {
  test('pays with the stored card', async () => {
    const { body: stored } = await register()
    const paid = await payWith(stored.id)
    expect(paid.status).toBe(200)
    expect(paid.body).toMatchObject({
      registrationId: stored.id,
      paymentType: 'DB',
      paymentBrand: 'VISA',
      amount: '92.00',
      currency: 'EUR',
      descriptor: expect.any(String),
      card: { bin: '420000', last4Digits: '0000', holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' },
      result: { code: '000.100.110' },
    })
    const { body: payment } = await send('GET', `/v1/payments/${paid.body.id}`)
    expect(payment.registrationId).toBe(stored.id)
  })

  test('checks a CVV only if it is sent with the payment', async () => {
    const { body: stored } = await register()
    expect((await payWith(stored.id)).body.result).not.toHaveProperty('cvvResponse')
    expect((await payWith(stored.id, { 'card.cvv': '123' })).body.result.cvvResponse).toBe('M')
    expect(summary(await payWith(stored.id, { 'card.cvv': '1234' }))).toEqual([400, '100.100.601'])
  })

  test('uses a sent holder with overrideHolder=true for that payment if no holder is stored', async () => {
    const { body: stored } = await register({ 'card.holder': undefined })
    const holder = { 'card.holder': 'Jim Jones' }
    const holders = [
      (await payWith(stored.id, holder)).body.card.holder,
      (await payWith(stored.id, { ...holder, overrideHolder: 'true' })).body.card.holder,
      (await payWith(stored.id)).body.card.holder,
    ]
    expect(holders).toEqual([undefined, 'Jim Jones', undefined])
    const { body: other } = await register()
    const paid = await payWith(other.id, { ...holder, overrideHolder: 'true' })
    expect(paid.body.card.holder).toBe('Jane Jones')
  })

  test('creates payments that can be captured and refunded', async () => {
    const { body: stored } = await register()
    const { body: preauthorised } = await payWith(stored.id, { paymentType: 'PA' })
    const money = { amount: '92.00', currency: 'EUR' }
    const captured = await send('POST', `/v1/payments/${preauthorised.id}`, { paymentType: 'CP', ...money })
    expect(summary(captured)).toEqual([200, '000.100.110'])
    const refunded = await send('POST', `/v1/payments/${captured.body.id}`, { paymentType: 'RF', ...money })
    expect(summary(refunded)).toEqual([200, '000.100.110'])
    expect(refunded.body.registrationId).toBe(stored.id)
  })

  test.each<{ fault: string; changes: Parameters; code: string }>([
    { fault: 'another brand', changes: { paymentBrand: 'MASTER' }, code: '100.100.700' },
    { fault: 'another channel of the merchant', changes: { entityId: sandboxIds.legacyChannel }, code: '700.400.700' },
    { fault: 'no amount', changes: { amount: undefined }, code: '200.300.404' },
    { fault: 'a type that refers to another transaction', changes: { paymentType: 'RF' }, code: '200.300.404' },
  ])('refuses $fault with $code', async ({ changes, code }) => {
    const { body: stored } = await register()
    expect(summary(await payWith(stored.id, changes))).toEqual([400, code])
  })

  test('refuses a card that expired after its registration with 100.100.303', async () => {
    const { body: stored } = await register({ 'card.expiryMonth': '05', 'card.expiryYear': '2026' })
    const startMs = tollgate.clock.nowMs
    tollgate.clock.nowMs += 30 * DAY_MS
    const refused = await payWith(stored.id)
    tollgate.clock.nowMs = startMs
    expect(summary(refused)).toEqual([400, '100.100.303'])
    expect(summary(await payWith(stored.id))).toEqual([200, '000.100.110'])
  })

  test('does not find a registration by the id of a payment', async () => {
    const { body } = await send('POST', '/v1/payments', cardPayment())
    expect(summary(await payWith(body.id))).toEqual([404, '100.150.200'])
  })

  test('pays with the merchant’s entityId on the channel that the card was stored on', async () => {
    await tollgate.manage('PATCH', `/entities/${sandboxIds.merchant}`, { settings: { dispatching: true } })
    const { body: stored } = await register({ entityId: sandboxIds.legacyChannel })
    const paid = await payWith(stored.id, { entityId: sandboxIds.merchant })
    expect(summary(paid)).toEqual([200, '000.100.110'])
    expect(paid.body.descriptor).toMatch(/Sandbox legacy$/)
    await tollgate.manage('PATCH', `/entities/${sandboxIds.merchant}`, { settings: { dispatching: false } })
  })
})

describe('GET /v1/registrations/{id}', () => {
  test('answers with the stored registration', async () => {
    const { body: stored } = await register({ merchantTransactionId: 'customer 4711', 'billing.city': 'Bremen' })
    const { status, body } = await read(stored.id)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: stored.id,
      paymentBrand: 'VISA',
      result: { code: '000.100.110', description: expect.any(String) },
      resultDetails: { ExtendedDescription: expect.any(String), RetainedUntil: '2035-08-01 12:00:00.000+0000' },
      card: { bin: '420000', last4Digits: '0000', holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' },
      merchantTransactionId: 'customer 4711',
      billing: { city: 'Bremen' },
      merchant: { bankAccount: expect.anything() },
      buildNumber: expect.any(String),
      timestamp: expect.any(String),
      ndc: expect.any(String),
    })
  })

  test('needs no entityId', async () => {
    const { body: stored } = await register()
    expect(summary(await read(stored.id, { entityId: undefined }))).toEqual([200, '000.100.110'])
  })
})

describe('POST /v1/registrations/{id}', () => {
  test('replaces the sent parameters and keeps the others', async () => {
    const { body: stored } = await register({ 'billing.city': 'Bremen', 'billing.country': 'DE' })
    tollgate.clock.nowMs += 1000
    const updated = await update(stored.id, { 'card.expiryMonth': '07', 'billing.city': 'Mainz' })
    const card = { bin: '420000', last4Digits: '0000', holder: 'Jane Jones', expiryMonth: '07', expiryYear: '2034' }
    expect(updated.body).toMatchObject({ card, billing: { city: 'Mainz', country: 'DE' } })
    expect((await read(stored.id)).body).toMatchObject({ card, billing: { city: 'Mainz', country: 'DE' } })
    const paid = await payWith(stored.id)
    expect([summary(paid), paid.body.card.expiryMonth]).toEqual([[200, '000.100.110'], '07'])
  })

  test('replaces the number by one of another brand and shreds the former number', async () => {
    const { body: stored } = await register()
    const { body: updated } = await update(stored.id, { 'card.number': '5454545454545454' })
    expect(updated).toMatchObject({ paymentBrand: 'MASTER', card: { bin: '545454', last4Digits: '5454' } })
    expect(await gateway.storage.account(stored.id)).toMatchObject({ sealed: null, wrapped_key: null })
    expect((await read(stored.id)).body.paymentBrand).toBe('MASTER')
    expect((await payWith(stored.id)).body).toMatchObject({ paymentBrand: 'MASTER', card: { last4Digits: '5454' } })
  })

  test('keeps the account of an expired card if no parameter of the account is sent', async () => {
    const { body: stored } = await register({ 'card.expiryMonth': '05', 'card.expiryYear': '2026' })
    const startMs = tollgate.clock.nowMs
    tollgate.clock.nowMs += 40 * DAY_MS
    const account = await gateway.storage.account(stored.id)
    expect(summary(await update(stored.id, { 'billing.city': 'Mainz' }))).toEqual([200, '000.100.110'])
    expect(await gateway.storage.account(stored.id)).toEqual(account)
    expect(summary(await update(stored.id, { 'card.holder': 'Jim Jones' }))).toEqual([400, '100.100.303'])
    expect(summary(await update(stored.id, { 'card.expiryYear': '2031' }))).toEqual([200, '000.100.110'])
    expect(summary(await payWith(stored.id))).toEqual([200, '000.100.110'])
    tollgate.clock.nowMs = startMs
  })

  test.each<{ fault: string; changes: Parameters; code: string }>([
    { fault: 'a wrong check digit', changes: { 'card.number': '4200000000000001' }, code: '100.100.101' },
    { fault: 'an expired card', changes: { 'card.expiryYear': '2020' }, code: '100.100.303' },
    { fault: 'a brand that differs from that of the number', changes: { paymentBrand: 'MASTER' }, code: '100.100.700' },
    { fault: 'another kind of account', changes: { 'virtualAccount.accountId': 'jane' }, code: '700.100.400' },
    { fault: 'two accounts', changes: { 'card.holder': 'Jim', 'giftCard.number': '60064912' }, code: '700.100.400' },
    {
      fault: 'another test mode',
      changes: { 'card.holder': 'Jim', testMode: 'EXTERNAL' },
      code: '700.100.600',
    },
    { fault: 'a payment type', changes: { paymentType: 'RR' }, code: '200.300.404' },
    { fault: 'no entity', changes: { entityId: undefined }, code: '200.300.404' },
  ])('refuses $fault with $code and changes nothing', async ({ changes, code }) => {
    const { body: stored } = await register()
    const treeBefore = await gateway.storage.treeOf(stored.id)
    expect(summary(await update(stored.id, changes))).toEqual([400, code])
    expect(await gateway.storage.treeOf(stored.id)).toEqual(treeBefore)
    expect(summary(await payWith(stored.id))).toEqual([200, '000.100.110'])
  })

  test('leaves no number stored if updates and a deletion are concurrent', async () => {
    const { body: stored } = await register()
    const holders = ['Ann Jones', 'Bob Jones', 'Cat Jones', 'Dan Jones', 'Eve Jones', 'Fay Jones', 'Gus Jones']
    const changes = holders.map((holder) => update(stored.id, { 'card.holder': holder }))
    const answers = await Promise.all([...changes.slice(0, 5), deregister(stored.id), ...changes.slice(5)])
    const codes = answers.map(({ body }) => body.result.code)
    expect(new Set(codes)).toEqual(new Set(['000.100.110', '100.150.202']))
    const updated = answers.filter(({ body }) => body.paymentType === 'RR').map(({ body }): string => body.id)
    for (const id of [stored.id, ...updated]) {
      expect(await gateway.storage.account(id)).toMatchObject({ sealed: null, wrapped_key: null })
    }
  })
})

describe('POST /v1/registrations/{id}/extendlife', () => {
  test('extends the retention to the same time if it is repeated', async () => {
    const { body: stored } = await register()
    for (const _ of [1, 2]) {
      const { status, body } = await extend(stored.id)
      expect([status, body.paymentType, body.resultDetails.RetainedUntil]).toEqual([
        200,
        'TE',
        '2036-06-01 12:00:00.000+0000',
      ])
    }
    expect((await read(stored.id)).body.resultDetails.RetainedUntil).toBe('2036-06-01 12:00:00.000+0000')
  })

  test('extends the registration once for an Idempotency-Key', async () => {
    const { body: stored } = await register()
    const keyed = { 'idempotency-key': `extend ${stored.id}` }
    const answers = [1, 2].map(() => send('POST', `/v1/registrations/${stored.id}/extendlife`, {}, keyed))
    const [first, second] = await Promise.all(answers)
    expect(second?.text).toBe(first?.text)
    expect((await gateway.storage.treeOf(stored.id))?.version).toBe(2)
  })
})

describe('access to a registration', () => {
  const requests = { read, update, extend, deregister, payWith } as const
  const names = Object.keys(requests).filter((name): name is keyof typeof requests => name in requests)

  test.each(names)('by %s is answered with 404 if the id is unknown', async (name) => {
    const { body: paid } = await send('POST', '/v1/payments', cardPayment())
    for (const id of ['0'.repeat(32), paid.id, 'x']) {
      const { status, body } = await requests[name](id)
      expect([status, body.result.code]).toEqual([404, name === 'deregister' ? '100.350.303' : '100.150.200'])
    }
  })

  test.each(names)('by %s on another channel is refused with 700.400.700', async (name) => {
    const { body: stored } = await register()
    const answer = await requests[name](stored.id, { entityId: sandboxIds.legacyChannel })
    expect(summary(answer)).toEqual([400, '700.400.700'])
  })

  test('of another merchant is answered with 404', async () => {
    const { body: stored } = await register()
    const other = await otherMerchant(tollgate)
    const headers = { authorization: `Bearer ${other.token}` }
    const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' }
    const path = `/v1/registrations/${stored.id}`
    const entity = { entityId: other.channel }
    const answers = [
      await send('GET', path, { entityId: undefined }, headers),
      await send('GET', path, entity, headers),
      await send('POST', path, { ...entity, 'card.holder': 'Jim Jones' }, headers),
      await send('POST', `${path}/extendlife`, entity, headers),
      await send('POST', `${path}/payments`, { ...entity, ...money }, headers),
      await send('DELETE', path, entity, headers),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
    expect((await read(stored.id)).body.card.holder).toBe('Jane Jones')
  })
})

describe('DELETE /v1/registrations/{id}', () => {
  test('answers without the card and shreds its number', async () => {
    const { body: stored } = await register()
    const deregistered = await deregister(stored.id)
    expect(deregistered.status).toBe(200)
    expect(deregistered.body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      referencedId: stored.id,
      registrationId: stored.id,
      result: { code: '000.100.110' },
    })
    expect(deregistered.body).not.toHaveProperty('card')
    const account = await gateway.storage.account(stored.id)
    expect(account).toMatchObject({ sealed: null, wrapped_key: null, key_id: null, last4: '0000' })
  })

  test('makes later payments and a second deletion fail', async () => {
    const { body: stored } = await register()
    await deregister(stored.id)
    expect(summary(await payWith(stored.id))).toEqual([400, '100.150.202'])
    expect(summary(await deregister(stored.id))).toEqual([400, '100.150.202'])
  })

  test('keeps earlier payments capturable, reversible and refundable', async () => {
    const { body: stored } = await register()
    const { body: preauthorised } = await payWith(stored.id, { paymentType: 'PA' })
    const { body: paid } = await payWith(stored.id)
    const { body: other } = await payWith(stored.id)
    await deregister(stored.id)
    const money = { amount: '92.00', currency: 'EUR' }
    const followUp = async (id: string, type: string, more: Parameters = money) =>
      summary(await send('POST', `/v1/payments/${id}`, { paymentType: type, ...more }))
    expect(await followUp(preauthorised.id, 'CP')).toEqual([200, '000.100.110'])
    expect(await followUp(paid.id, 'RF')).toEqual([200, '000.100.110'])
    expect(await followUp(other.id, 'RV', {})).toEqual([200, '000.100.110'])
    expect((await gateway.storage.account(paid.id))?.sealed).toBeInstanceOf(Uint8Array)
  })

  test.each([
    { name: 'the entityId of its channel', entityId: sandboxIds.channel, expected: [200, '000.100.110'] },
    { name: 'the entityId of its merchant', entityId: sandboxIds.merchant, expected: [200, '000.100.110'] },
    { name: 'the entityId of another channel', entityId: sandboxIds.legacyChannel, expected: [400, '700.400.700'] },
    { name: 'no entityId', entityId: undefined, expected: [400, '200.300.404'] },
  ])('with $name is answered with $expected', async ({ entityId, expected }) => {
    const { body: stored } = await register()
    expect(summary(await deregister(stored.id, { entityId }))).toEqual(expected)
  })

  test('answers with 404 if there is no registration', async () => {
    expect(summary(await deregister('0'.repeat(32)))).toEqual([404, '100.350.303'])
  })

  test('executes one of two concurrent deletions', async () => {
    const { body: stored } = await register()
    const answers = await Promise.all([deregister(stored.id), deregister(stored.id)])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]))
  })
})
