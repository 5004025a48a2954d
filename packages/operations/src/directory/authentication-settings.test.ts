import { describe, expect, test } from 'vitest'
import { channelSettings, notReadyForThreeDSecure } from './entity-settings.ts'
import { type AuthenticationSettings, isReadyForAny, missingFor } from './authentication-settings.ts'
import { authenticationNetworkOf } from '../three-d-secure/authentication-network.ts'

const acquirerBin = '400000'
const without: AuthenticationSettings = {
  acquirerMerchantId: 'M-1',
  mcc: '5411',
  country: 'AT',
  merchantName: 'Tea',
  requestorId: 'R-1',
  requestorName: 'Tea',
  requestorUrl: 'https://tea.example',
}
const all: AuthenticationSettings = { acquirerBin, ...without }

describe('missing settings', () => {
  test.each([
    ['none', all, undefined, []],
    ['all', {}, undefined, Object.keys(all)],
    ['one', without, 'visa', ['acquirerBin']],
    ['one that the network overrides', { ...without, networks: { visa: { acquirerBin } } }, 'visa', []],
    [
      'one that only another network overrides',
      { ...without, networks: { visa: { acquirerBin } } },
      'jcb',
      ['acquirerBin'],
    ],
  ] as const)('are found: %s', (_, settings, network, missing) =>
    expect(missingFor(settings, network)).toEqual(missing),
  )

  test('are accepted if one network is complete', () => {
    expect([all, without, { ...without, networks: { visa: { acquirerBin } } }].map(isReadyForAny)).toEqual([
      true,
      false,
      true,
    ])
  })

  test('are named in the error of a channel with 3-D Secure', () => {
    const errorOf = (settings: object) => notReadyForThreeDSecure(channelSettings([settings]))
    expect(errorOf({})).toBeUndefined()
    expect(errorOf({ threeDSecure: 'always', authentication: all })).toBeUndefined()
    expect(errorOf({ threeDSecure: 'always', authentication: without })).toContain('first: acquirerBin.')
  })
})

test.each([
  ['VISA', 'visa'],
  ['VISADEBIT', 'visa'],
  ['MAESTRO', 'mastercard'],
  ['CARTEBANCAIRE', 'cartebancaire'],
  ['CARTEBLEUE', 'visa'],
  ['AXP', 'amex'],
  ['UNIONPAY', undefined],
  ['PAYPAL', undefined],
])('%s is authenticated by %s', (brand, network) => expect(authenticationNetworkOf(brand)).toBe(network))
