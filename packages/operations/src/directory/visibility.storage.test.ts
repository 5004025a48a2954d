import { afterAll, describe, expect, test } from 'vitest'
import { sandboxIds, sandboxToken } from './sandbox.ts'
import {
  cardWithoutPayment,
  cardPayment,
  otherMerchant,
  type Parameters,
  summary,
  type TestAnswer,
  testGateway,
} from '@tollgate/gateway/testing'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, manage } = tollgate

const other = await otherMerchant(tollgate)
const otherHeaders = { authorization: `Bearer ${other.token}` }

describe('a resource of another merchant is answered like an unknown id', async () => {
  const payment = await send('POST', '/v1/payments', cardPayment())
  const preauthorisation = await send('POST', '/v1/payments', cardPayment({ paymentType: 'PA' }))
  const registration = await send('POST', '/v1/registrations', cardWithoutPayment())
  const UNKNOWN_ID = '0'.repeat(32)
  const money = { amount: '92.00', currency: 'EUR' }
  const ownChannel = { entityId: other.channel }

  /** A request of another merchant for a resource of the sandbox. */
  interface ForbiddenRequest {
    readonly endpoint: string
    readonly method: 'GET' | 'POST' | 'DELETE'
    readonly path: (id: string) => string
    /** An existing id, and a nonexistent id of the same format. */
    readonly id: readonly [existing: string, unknown: string]
    readonly parameters: (id: string) => Parameters
    readonly status: number
    readonly code: string
  }
  const requestWithId = (
    endpoint: string,
    id: string,
    code: string,
    parameters: Parameters = {},
    entity: Parameters = ownChannel,
    status = 404,
  ): ForbiddenRequest => {
    const [method = '', template = ''] = endpoint.split(' ')
    return {
      endpoint: `${endpoint} ${parameters['paymentType'] ?? ''} ${entity['entityId'] ? 'own entity' : 'no entity'}`,
      method: method === 'GET' || method === 'DELETE' ? method : 'POST',
      path: (resourceId) => template.replace('{id}', resourceId),
      id: [id, UNKNOWN_ID],
      parameters: () => ({ ...entity, ...parameters }),
      status,
      code,
    }
  }
  const requestWithEntity = (endpoint: string, parameters: Parameters, path: string): ForbiddenRequest => ({
    endpoint: `${endpoint} entity of another merchant`,
    method: endpoint.startsWith('GET') ? 'GET' : endpoint.startsWith('DELETE') ? 'DELETE' : 'POST',
    path: () => path,
    id: [sandboxIds.channel, UNKNOWN_ID],
    parameters: (entityId) => ({ ...parameters, entityId }),
    status: 403,
    code: '800.900.300',
  })
  const noEntity = { entityId: undefined }
  const pay = { ...money, paymentType: 'DB' }

  const forbiddenRequests: readonly ForbiddenRequest[] = [
    requestWithEntity('POST /v1/payments', cardPayment(), '/v1/payments'),
    requestWithEntity('GET /v1/payments/{id}', {}, `/v1/payments/${payment.body.id}`),
    requestWithEntity('POST /v1/payments/{id}', { paymentType: 'RV' }, `/v1/payments/${payment.body.id}`),
    requestWithEntity('POST /v1/registrations', cardWithoutPayment(), '/v1/registrations'),
    requestWithEntity(
      'POST /v1/registrations/{id}/payments',
      pay,
      `/v1/registrations/${registration.body.id}/payments`,
    ),
    requestWithEntity('DELETE /v1/registrations/{id}', {}, `/v1/registrations/${registration.body.id}`),
    requestWithId('GET /v1/payments/{id}', payment.body.id, '700.400.580'),
    requestWithId('GET /v1/payments/{id}', payment.body.id, '700.400.580', {}, noEntity),
    requestWithId('POST /v1/payments/{id}', preauthorisation.body.id, '700.400.510', { paymentType: 'CP', ...money }),
    requestWithId('POST /v1/payments/{id}', payment.body.id, '700.400.530', { paymentType: 'RV' }),
    requestWithId('POST /v1/payments/{id}', payment.body.id, '600.200.500', { paymentType: 'RF', ...money }),
    requestWithId('POST /v1/payments/{id}', payment.body.id, '700.400.580', { paymentType: 'RB', ...money }),
    requestWithId(
      'POST /v1/payments/{id}',
      preauthorisation.body.id,
      '200.300.404',
      { paymentType: 'CP' },
      ownChannel,
      400,
    ),
    requestWithId(
      'POST /v1/payments/{id}',
      preauthorisation.body.id,
      '200.300.404',
      { paymentType: 'CP' },
      noEntity,
      400,
    ),
    requestWithId('POST /v1/registrations/{id}/payments', registration.body.id, '100.150.200', pay),
    requestWithId('DELETE /v1/registrations/{id}', registration.body.id, '100.350.303'),
  ]

  /** The answer without the fields that differ between any two requests. */
  const comparable = ({ status, body }: TestAnswer) => ({
    status,
    body: { ...body, id: '', referencedId: '', descriptor: '', timestamp: '', ndc: '' },
  })

  test.each(forbiddenRequests)(
    '$endpoint: $status $code',
    async ({ method, path, id: [existing, unknown], parameters, ...expected }) => {
      const existingAnswer = await send(method, path(existing), parameters(existing), otherHeaders)
      const unknownAnswer = await send(method, path(unknown), parameters(unknown), otherHeaders)
      expect(summary(existingAnswer)).toEqual([expected.status, expected.code])
      expect(comparable(existingAnswer)).toEqual(comparable(unknownAnswer))
    },
  )

  test('after the refused requests the payment can still be reversed, and the registration deleted', async () => {
    expect(summary(await send('POST', `/v1/payments/${payment.body.id}`, { paymentType: 'RV' }))).toEqual([
      200,
      '000.100.110',
    ])
    expect(summary(await send('DELETE', `/v1/registrations/${registration.body.id}`))).toEqual([200, '000.100.110'])
  })
})

describe('a token that reaches two merchants', async () => {
  const secondMerchant = async (): Promise<Parameters> => {
    const { body: merchant } = await manage('POST', '/entities', {
      kind: 'merchant',
      name: 'Sister',
      parentId: sandboxIds.division,
    })
    const { body: channel } = await manage('POST', '/entities', {
      kind: 'channel',
      name: 'Sister channel',
      parentId: merchant.id,
    })
    const { body } = await manage('POST', '/tokens', { entityId: sandboxIds.division })
    return { merchant: merchant.id, channel: channel.id, authorization: `Bearer ${body.token}` }
  }
  const { merchant, channel, authorization } = await secondMerchant()

  test('finds a payment without an entityId, but not with an entityId of the other merchant', async () => {
    const headers = { authorization }
    const { body } = await send('POST', '/v1/payments', cardPayment(), headers)
    const url = `/v1/payments/${body.id}`
    expect(summary(await send('GET', url, { entityId: channel }, headers))).toEqual([404, '700.400.580'])
    expect(summary(await send('GET', url, { entityId: merchant }, headers))).toEqual([404, '700.400.580'])
    expect(summary(await send('GET', url, { entityId: undefined }, headers))).toEqual([200, '000.100.110'])
    expect(summary(await send('POST', url, { entityId: channel, paymentType: 'RV' }, headers))).toEqual([
      404,
      '700.400.530',
    ])
  })

  test('deletes a registration with the entityId of an entity above it, but not of the other merchant', async () => {
    const headers = { authorization }
    const { body } = await send('POST', '/v1/registrations', cardWithoutPayment(), headers)
    const url = `/v1/registrations/${body.id}`
    expect(summary(await send('DELETE', url, { entityId: merchant }, headers))).toEqual([404, '100.350.303'])
    expect(summary(await send('DELETE', url, { entityId: channel }, headers))).toEqual([404, '100.350.303'])
    expect(summary(await send('DELETE', url, { entityId: sandboxIds.division }, headers))).toEqual([200, '000.100.110'])
  })
})

describe('entityId', () => {
  const pay = (entityId: string | undefined, changes: Parameters = {}) =>
    send('POST', '/v1/payments', cardPayment({ entityId, ...changes }))

  test.each([undefined, '', 'x', sandboxIds.channel.toUpperCase(), `${sandboxIds.channel}0`])(
    '%j is a parameter error',
    async (entityId) => {
      const { status, body } = await pay(entityId)
      expect([status, body.result.code]).toEqual([400, '200.300.404'])
      expect(body.result.parameterErrors).toEqual([expect.objectContaining({ name: 'entityId' })])
    },
  )

  test('that the caller does not reach is refused before wrong parameters', async () => {
    expect(summary(await pay(other.channel, { amount: 'x' }))).toEqual([403, '800.900.300'])
  })

  test('of a merchant without dispatching is refused', async () => {
    expect(summary(await pay(sandboxIds.merchant))).toEqual([400, '200.300.407'])
  })

  test('of a disabled channel is refused for payments, but not for refunds', async () => {
    const { body: channel } = await manage('POST', '/entities', {
      kind: 'channel',
      name: 'Closing',
      parentId: sandboxIds.merchant,
    })
    const paid = await pay(channel.id)
    await manage('PATCH', `/entities/${channel.id}`, { settings: { enabled: false } })
    expect(summary(await pay(channel.id))).toEqual([400, '600.200.201'])
    const refund = { entityId: channel.id, paymentType: 'RF', amount: '92.00', currency: 'EUR' }
    expect(summary(await send('POST', `/v1/payments/${paid.body.id}`, refund))).toEqual([200, '000.100.110'])
  })

  test('of a channel is refused if its merchant is disabled', async () => {
    const { merchant, channel, token } = await otherMerchant(tollgate)
    await manage('PATCH', `/entities/${merchant}`, { settings: { enabled: false } })
    const headers = { authorization: `Bearer ${token}` }
    const answer = await send('POST', '/v1/payments', cardPayment({ entityId: channel }), headers)
    expect(summary(answer)).toEqual([400, '600.200.201'])
  })

  test.each<{ parameter: string; settings: object; changes: Parameters }>([
    { parameter: 'brand', settings: { brands: ['MASTER'] }, changes: {} },
    { parameter: 'currency', settings: { currencies: ['USD'] }, changes: {} },
  ])('of a channel that does not accept the $parameter is refused', async ({ settings, changes }) => {
    const { channel, token } = await otherMerchant(tollgate, settings)
    const headers = { authorization: `Bearer ${token}` }
    const answer = await send('POST', '/v1/payments', cardPayment({ entityId: channel, ...changes }), headers)
    expect(summary(answer)).toEqual([400, '600.200.500'])
    expect(answer.body.result.description).toMatch(/Invalid payment data/)
    expect(answer.body.resultDetails.ExtendedDescription).toMatch(/the channel does not accept/)
  })
})

describe('channel dispatching', async () => {
  const { merchant, channel: masterOnly, token } = await otherMerchant(tollgate, { brands: ['MASTER'] })
  const channels: Record<string, string> = { masterOnly }
  for (const [name, settings] of [
    ['closed', { enabled: false }],
    ['dollars', { currencies: ['USD'] }],
    ['all', {}],
  ] as const) {
    tollgate.clock.nowMs += 1
    const { body } = await manage('POST', '/entities', { kind: 'channel', name, parentId: merchant, settings })
    channels[name] = body.id
  }
  await manage('PATCH', `/entities/${merchant}`, { settings: { dispatching: true } })
  const headers = { authorization: `Bearer ${token}` }
  const MASTER = { paymentBrand: 'MASTER', 'card.number': '5454545454545454' }

  test.each<{ name: string; changes: Parameters; channelName: string }>([
    { name: 'Mastercard', changes: MASTER, channelName: 'Other channel' },
    {
      name: 'Mastercard without paymentBrand',
      changes: { ...MASTER, paymentBrand: undefined },
      channelName: 'Other channel',
    },
    { name: 'Visa in dollars', changes: { currency: 'USD' }, channelName: 'dollars' },
    { name: 'Visa in euros', changes: {}, channelName: 'all' },
  ])('a payment by $name is made on the channel $channelName', async ({ changes, channelName }) => {
    const paid = await send('POST', '/v1/payments', cardPayment({ entityId: merchant, ...changes }), headers)
    expect(summary(paid)).toEqual([200, '000.100.110'])
    expect(paid.body.descriptor).toMatch(new RegExp(` ${channelName}$`))
  })

  test('a card is stored on the first channel that accepts its brand', async () => {
    const { body } = await send('POST', '/v1/registrations', cardWithoutPayment({ entityId: merchant }), headers)
    const debit = { paymentType: 'DB', amount: '92.00', currency: 'USD', entityId: merchant }
    const paid = await send('POST', `/v1/registrations/${body.id}/payments`, debit, headers)
    expect(summary(paid)).toEqual([200, '000.100.110'])
    expect(paid.body.descriptor).toMatch(/ dollars$/)
  })

  test('a payment is found with the entityId of its channel and of its merchant', async () => {
    for (const entityId of [merchant, channels['all']]) {
      const paid = await send('POST', '/v1/payments', cardPayment({ entityId: channels['all'] }), headers)
      const reversed = await send('POST', `/v1/payments/${paid.body.id}`, { entityId, paymentType: 'RV' }, headers)
      expect(summary(reversed)).toEqual([200, '000.100.110'])
    }
  })

  test('a payment on a channel that was disabled later is found with the entityId of its merchant', async () => {
    const paid = await send('POST', '/v1/payments', cardPayment({ entityId: channels['all'] }), headers)
    await manage('PATCH', `/entities/${channels['all']}`, { settings: { enabled: false } })
    const path = `/v1/payments/${paid.body.id}`
    const reversed = await send('POST', path, { entityId: merchant, paymentType: 'RV' }, headers)
    await manage('PATCH', `/entities/${channels['all']}`, { settings: { enabled: true } })
    expect(summary(reversed)).toEqual([200, '000.100.110'])
  })

  test('a payment that no channel accepts is refused by the first enabled channel', async () => {
    const answer = await send(
      'POST',
      '/v1/payments',
      cardPayment({ entityId: merchant, currency: 'EUR', paymentBrand: 'VISA' }),
      headers,
    )
    expect(summary(answer)).toEqual([200, '000.100.110'])
    await manage('PATCH', `/entities/${channels['all']}`, { settings: { brands: ['AMEX'] } })
    const refused = await send('POST', '/v1/payments', cardPayment({ entityId: merchant }), headers)
    expect(summary(refused)).toEqual([400, '600.200.500'])
    expect(refused.body.descriptor).toMatch(/ Other channel$/)
    await manage('PATCH', `/entities/${masterOnly}`, { settings: { enabled: false } })
    const nextRefusal = await send('POST', '/v1/payments', cardPayment({ entityId: merchant }), headers)
    expect(summary(nextRefusal)).toEqual([400, '600.200.500'])
    expect(nextRefusal.body.descriptor).toMatch(/ dollars$/)
  })
})

describe('the log contains the sent entityId if the caller reaches it, otherwise the entity of the caller', () => {
  test.each([
    { name: 'the entityId of a channel', entityId: sandboxIds.channel, loggedEntity: sandboxIds.channel },
    { name: 'no entityId', entityId: undefined, loggedEntity: sandboxIds.merchant },
    { name: 'an invalid entityId', entityId: '4200000000000000', loggedEntity: sandboxIds.merchant },
  ])('with $name', async ({ entityId, loggedEntity }) => {
    const { body } = await send('GET', '/v1/payments/x', { entityId })
    expect(tollgate.logged.at(-1)).toEqual({
      level: 'info',
      requestId: body.id,
      entity: loggedEntity,
      operation: 'getPayment',
      code: body.result.code,
      status: expect.any(Number),
      ms: expect.any(Number),
    })
  })
})

test('the log contains no data of the payment', async () => {
  await send('POST', '/v1/payments', cardPayment({ 'customer.email': 'jane@jones.example' }), {
    authorization: `Bearer ${sandboxToken}`,
  })
  expect(JSON.stringify(tollgate.logged.at(-1))).not.toMatch(/jane|jones|42000000|92\.00|EUR|Bearer/i)
})
