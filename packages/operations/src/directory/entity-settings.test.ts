import { describe, expect, test } from 'vitest'
import { changedSettings, channelSettings, readEntitySettings } from './entity-settings.ts'

test('a channel without settings has the defaults', () => {
  expect(channelSettings([{}, {}])).toEqual({
    enabled: true,
    compatibility: 'strict',
    brands: undefined,
    currencies: undefined,
    threeDSecure: 'off',
    unauthenticated: 'continue',
    authentication: {},
    pointOfSale: false,
    offlineSales: false,
    lateApproval: 'accept',
    checkoutStatusWithoutLogin: false,
    shopperResultOrigins: undefined,
    dispatching: false,
    sepaCreditor: {},
    throttle: {},
    verifyRegistrations: false,
    uniqueMerchantTransactionId: false,
    duplicateWindowSeconds: 0,
    partialApproval: false,
    clearingCutOffHours: 24,
    timeZone: 'UTC',
    missedRuns: 'ONCE',
    declines: { checkout: 10, card: 30, address: 60 },
  })
})

test('each limit of declined attempts is inherited separately', () => {
  const chain = [{ declines: { checkout: 3, card: 5 } }, { declines: { card: 'off' as const } }]
  expect(channelSettings(chain).declines).toEqual({ checkout: 3, card: Infinity, address: 60 })
})

test('the value of the nearest entity applies, but every entity below a disabled one is disabled', () => {
  const settings = channelSettings([
    { enabled: false, threeDSecure: 'always', clearingCutOffHours: 1 },
    { enabled: true, threeDSecure: 'enrolled', clearingCutOffHours: 0 },
  ])
  expect(settings).toMatchObject({ enabled: false, threeDSecure: 'enrolled', clearingCutOffHours: 0 })
})

test('the rate limit of each operation is inherited separately', () => {
  const chain = [{ throttle: { getPayment: 1, createPayment: 2 } }, {}, { throttle: { createPayment: 'off' } }] as const
  expect(channelSettings(chain).throttle).toEqual({ getPayment: 1, createPayment: 'off' })
  expect(channelSettings([{}]).throttle).toEqual({})
})

test('each value of the 3-D Secure requestor is inherited separately', () => {
  const chain = [
    { authentication: { acquirerBin: '400000', mcc: '5999' } },
    {},
    { authentication: { mcc: '5411', merchantInitiated: true } },
  ]
  expect(channelSettings(chain).authentication).toEqual({ acquirerBin: '400000', mcc: '5411', merchantInitiated: true })
})

test('an empty list of brands accepts no brand', () => {
  expect(channelSettings([{ brands: [] }]).brands?.has('VISA')).toBe(false)
})

describe('a change of settings', () => {
  test.each([
    { change: undefined, after: { brands: ['VISA'], enabled: false } },
    { change: {}, after: { brands: ['VISA'], enabled: false } },
    { change: { enabled: true }, after: { brands: ['VISA'], enabled: true } },
    { change: { brands: null }, after: { enabled: false } },
    { change: { brands: null, enabled: null }, after: {} },
  ])('by $change leads to $after', ({ change, after }) => {
    expect(JSON.parse(changedSettings({ brands: ['VISA'], enabled: false }, change))).toEqual(after)
  })
})

describe('stored settings', () => {
  test('are read as they were written', () => {
    const settings = { brands: ['VISA'], currencies: ['EUR'], threeDSecure: 'always', compatibility: 'legacy' } as const
    expect(readEntitySettings(JSON.stringify(settings))).toEqual(settings)
  })

  test.each([
    '',
    '[]',
    '{"colour":"red"}',
    '{"enabled":"yes"}',
    '{"clearingCutOffHours":-1}',
    '{"duplicateWindowSeconds":0.5}',
    '{"brands":null}',
    '{"throttle":{"createPayment":0}}',
    '{"throttle":{"createPayment":"on"}}',
    '{"throttle":{"pay":1}}',
    '{"shopperResultOrigins":["javascript:"]}',
    '{"shopperResultOrigins":["data:"]}',
    '{"shopperResultOrigins":[" https://shop.example"]}',
    '{"shopperResultOrigins":["https://shop.example "]}',
    '{"shopperResultOrigins":["https://shop\\t.example"]}',
    '{"shopperResultOrigins":["https://shop\\u0001.example"]}',
    '{"shopperResultOrigins":["java\\tscript:"]}',
    '{"authentication":{"acquirerBin":"4000x0"}}',
    '{"authentication":{"mcc":"599"}}',
    '{"authentication":{"country":"XX"}}',
    '{"authentication":{"requestorUrl":"javascript:alert(1)"}}',
    '{"authentication":{"requestorUrl":"https://user:secret@shop.example"}}',
    '{"authentication":{"decoupledMinutes":10081}}',
    '{"authentication":{"networks":{"viza":{}}}}',
    '{"authentication":{"networks":{"visa":{"mcc":"5999"}}}}',
  ])('%j are refused', (text) => {
    expect(() => readEntitySettings(text)).toThrow()
  })
})
