import { sandboxIds } from '@tollgate/operations'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostSettings } from '../../testing/host-settings.ts'
import { otherMerchant } from '../../testing/other-merchant.ts'
import { cardPayment, testGateway, type TestGateway } from '../../testing/test-gateway.ts'

let tollgate: TestGateway
beforeAll(async () => {
  tollgate = await testGateway()
  for (const [index, name] of ['acme', 'bank-2'].entries()) {
    await manage('POST', '/connectors', { name, kind: 'iso8583', settings: hostSettings(7 + index) })
  }
})
afterAll(() => tollgate.close())

const manage: TestGateway['manage'] = (...request) => tollgate.manage(...request)
const path = (id: string) => `/entities/${id}/routes`
const routeTo = (connector: string, members: object = {}) => ({ name: 'cards', targets: [{ connector }], ...members })
const UNKNOWN_ID = '0'.repeat(32)

describe('the routes of an entity', () => {
  test('are set, read and removed, and apply to entities below it that have no routes of their own', async () => {
    const { psp, merchant, channel } = await otherMerchant(tollgate)
    const applied = async (id: string) => (await manage('GET', path(id))).body
    expect(await applied(channel)).toEqual({ entityId: channel, setFor: null, routes: null })

    const far = [routeTo('acme')]
    const near = [routeTo('bank-2'), routeTo('simulator', { name: 'rest' })]
    expect((await manage('PUT', path(psp), { routes: far })).body).toEqual({ entityId: psp, setFor: psp, routes: far })
    expect(await applied(channel)).toEqual({ entityId: channel, setFor: psp, routes: far })
    await manage('PUT', path(merchant), { routes: near })
    expect(await applied(channel)).toEqual({ entityId: channel, setFor: merchant, routes: near })
    expect((await manage('GET', '/routes')).body).toEqual({
      routes: [
        { entityId: psp, routes: far },
        { entityId: merchant, routes: near },
      ],
      total: 2,
    })
    expect(tollgate.logged).toContainEqual({ level: 'error', audit: 'routes changed', entity: merchant, routes: 2 })

    expect((await manage('DELETE', path(merchant))).body).toMatchObject({ setFor: psp })
    expect((await manage('DELETE', path(psp))).body).toMatchObject({ setFor: null, routes: null })
    expect((await manage('GET', '/routes')).body).toEqual({ routes: [], total: 0 })
  })

  test.each<[title: string, routes: object[], message: string]>([
    [
      'a connector that does not exist',
      [routeTo('acme'), routeTo('amce', { name: 'typo' })],
      'body/routes/1/targets/0/connector must be one of acme, bank-2, simulator, redirect, external',
    ],
    ['a repeated name', [routeTo('acme'), routeTo('acme')], 'body/routes/1/name must not be that of another route'],
    [
      'an unknown brand',
      [routeTo('acme', { when: { brands: ['VISTA'] } })],
      'body/routes/0/when/brands/0 must be one of',
    ],
    [
      'an invalid range',
      [routeTo('acme', { when: { bins: [{ from: '5', to: '4' }] } })],
      'body/routes/0/when/bins/0/to must not be less than from',
    ],
    [
      'an unknown order',
      [routeTo('acme', { order: 'random' })],
      'body/routes/0/order must be one of listed, weight, cost',
    ],
  ])('are refused with %s, which the message names', async (_, routes, message) => {
    const { status, body } = await manage('PUT', path(sandboxIds.channel), { routes })
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)])
    expect((await manage('GET', path(sandboxIds.channel))).body.routes).toBeNull()
  })

  test('of an unknown entity are not found', async () => {
    for (const answer of [
      await manage('GET', path(UNKNOWN_ID)),
      await manage('PUT', path(UNKNOWN_ID), { routes: [] }),
      await manage('DELETE', path(UNKNOWN_ID)),
      await manage('POST', `${path(UNKNOWN_ID)}/test`, { paymentBrand: 'VISA' }),
    ])
      expect(answer.status).toBe(404)
  })
})

describe('a dry run', () => {
  const routes = [
    routeTo('acme', { name: 'dollars', when: { currencies: ['USD'], testModes: ['INTERNAL'] } }),
    routeTo('acme', { name: 'external only' }),
    {
      name: 'visa',
      when: { brands: ['VISA'], testModes: ['INTERNAL', 'EXTERNAL'] },
      order: 'cost',
      targets: [{ connector: 'bank-2' }, { connector: 'simulator' }, { connector: 'redirect' }],
    },
  ]
  let channel = ''
  beforeAll(async () => {
    const other = await otherMerchant(tollgate)
    channel = other.channel
    await manage('PUT', path(other.merchant), { routes })
    await manage('PATCH', '/connectors/bank-2', { state: 'disabled' })
  })
  const ask = async (payment: object) => manage('POST', `${path(channel)}/test`, payment)

  test('names the connectors of a payment, and explains each step in words', async () => {
    const { merchant } = { merchant: (await manage('GET', path(channel))).body.setFor }
    const { body } = await ask({ paymentBrand: 'VISA', amount: '10.00', currency: 'EUR' })
    expect(body).toEqual({
      entityId: channel,
      setFor: merchant,
      route: 'visa',
      connectors: ['simulator'],
      steps: [
        {
          route: 'dollars',
          setFor: merchant,
          matches: false,
          explanation: 'The currency of the payment is not in currencies, or the payment has none.',
          targets: [],
        },
        {
          route: 'external only',
          setFor: merchant,
          matches: false,
          explanation: 'The test mode does not match. A route without testModes takes payments with EXTERNAL only.',
          targets: [],
        },
        {
          route: 'visa',
          setFor: merchant,
          matches: true,
          explanation: 'The cheapest target is tried first.',
          targets: [
            {
              connector: 'simulator',
              verdict: 'used',
              explanation: 'It can process the payment.',
            },
            { connector: 'bank-2', verdict: 'disabled', explanation: 'It is disabled.' },
            {
              connector: 'redirect',
              verdict: 'unknown',
              explanation: 'There is no such connector, or it is not connected.',
            },
          ],
        },
      ],
    })
    expect(await tollgate.gateway.storage.acquirerAttempts('')).toEqual([])
  })

  test('goes on with the routes of the test environment if no own route leads to a connector', async () => {
    const { body } = await ask({ paymentBrand: 'MASTER' })
    expect(body).toMatchObject({ route: 'simulator', connectors: ['simulator'] })
    expect(body.steps.map(({ route, setFor }: { route: string; setFor: string | null }) => [route, setFor])).toEqual([
      ['dollars', expect.any(String)],
      ['external only', expect.any(String)],
      ['visa', expect.any(String)],
      ['redirect', null],
      ['external', null],
      ['simulator', null],
    ])
  })

  test('shows an acquirer that does not answer as tried last', async () => {
    const { body } = await ask({ paymentBrand: 'VISA', testMode: 'EXTERNAL' })
    expect(body).toMatchObject({ route: 'external only', connectors: ['acme'] })
    expect(body.steps.at(-1).targets).toMatchObject([{ connector: 'acme', verdict: 'unhealthy' }])
  })

  test.each([
    ['PAYPAL', 'redirect'],
    ['GIROPAY', 'redirect'],
    ['DIRECTDEBIT_SEPA', 'simulator'],
  ])('derives the method of %s from the brand', async (paymentBrand, route) => {
    const { body } = await ask({ paymentBrand })
    // No bank is connected to this gateway, so that no route leads a redirect brand to a connector.
    expect(body.route).toBe(route === 'redirect' ? null : route)
  })

  test.each([
    [{ paymentBrand: 'APPLEPAY' }, 'body/method must be one of card, tokenAccount'],
    [{ paymentBrand: 'VISA', amount: '1.00' }, 'body/currency must be set with amount'],
    [{ paymentBrand: 'VISA', amount: '1.50', currency: 'JPY' }, 'body/amount: JPY has no decimals'],
    [{ paymentBrand: 'VISA', bin: '4200000000000000' }, 'body/bin must match pattern'],
    [{}, "body must have required property 'paymentBrand'"],
  ])('of %j is refused', async (payment, message) => {
    const { status, body } = await ask(payment)
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)])
  })
})

test('a payment follows the routes of its channel', async () => {
  const target = path(sandboxIds.channel)
  const everyMode = { testModes: ['INTERNAL', 'EXTERNAL'] }
  await manage('PUT', target, { routes: [routeTo('acme', { when: everyMode })] })
  // The links of the connector are not open.
  expect((await tollgate.send('POST', '/v1/payments', cardPayment())).body.result.code).toBe('900.100.600')
  await manage('PUT', target, { routes: [routeTo('simulator', { when: everyMode })] })
  expect((await tollgate.send('POST', '/v1/payments', cardPayment())).body.result.code).toBe('000.100.110')
  await manage('DELETE', target)
})
