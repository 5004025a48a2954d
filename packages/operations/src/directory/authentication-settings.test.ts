import { describe, expect, test } from 'vitest'
import { channelSettings, threeDSecureSettingsError } from './entity-settings.ts'
import { type AuthenticationSettings, isReadyForAnyNetwork, missingSettings } from './authentication-settings.ts'
import { authenticationNetworkOf } from '../three-d-secure/authentication-network.ts'

const acquirerBin = '400000'
const withoutAcquirerBin: AuthenticationSettings = {
  acquirerMerchantId: 'M-1',
  mcc: '5411',
  country: 'AT',
  merchantName: 'Tea',
  requestorId: 'R-1',
  requestorName: 'Tea',
  requestorUrl: 'https://tea.example',
}
const complete: AuthenticationSettings = { acquirerBin, ...withoutAcquirerBin }

describe('missing settings', () => {
  test.each([
    ['complete settings', complete, undefined, []],
    ['no settings', {}, undefined, Object.keys(complete)],
    ['settings without acquirerBin', withoutAcquirerBin, 'visa', ['acquirerBin']],
    [
      'settings that an override for the network completes',
      { ...withoutAcquirerBin, networks: { visa: { acquirerBin } } },
      'visa',
      [],
    ],
    [
      'settings that only an override for another network completes',
      { ...withoutAcquirerBin, networks: { visa: { acquirerBin } } },
      'jcb',
      ['acquirerBin'],
    ],
  ] as const)('are listed for %s', (_, settings, network, missing) =>
    expect(missingSettings(settings, network)).toEqual(missing),
  )

  test('are accepted only if the settings of at least one network are complete', () => {
    expect(
      [complete, withoutAcquirerBin, { ...withoutAcquirerBin, networks: { visa: { acquirerBin } } }].map(
        isReadyForAnyNetwork,
      ),
    ).toEqual([true, false, true])
  })

  test('are named in the error of a channel with 3-D Secure', () => {
    const errorOf = (settings: object) => threeDSecureSettingsError(channelSettings([settings]))
    expect(errorOf({})).toBeUndefined()
    expect(errorOf({ threeDSecure: 'always', authentication: complete })).toBeUndefined()
    expect(errorOf({ threeDSecure: 'always', authentication: withoutAcquirerBin })).toContain('first: acquirerBin.')
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
])('the authentication network of %s is %s', (brand, network) => expect(authenticationNetworkOf(brand)).toBe(network))
