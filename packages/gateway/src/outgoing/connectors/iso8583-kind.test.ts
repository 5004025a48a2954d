import { BlockList } from 'node:net'
import { testHostProfile } from '@tollgate/connectors'
import { describe, expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { selfSignedCertificate } from '../../testing/certificate.ts'
import { hostSettings } from '../../testing/host-settings.ts'
import { type Rules, usualPorts } from '../target.ts'
import { ConnectorSettingsError } from './connector-kind.ts'
import { iso8583Kind } from './iso8583-kind.ts'

const networks = new BlockList()
networks.addSubnet('10.1.0.0', 16, 'ipv4')
const inTest: Rules = { environment: 'test', ports: usualPorts, networks }
const inLive: Rules = { ...inTest, environment: 'live' }

const [pair, other] = [selfSignedCertificate(['gateway.example']), selfSignedCertificate(['gateway.example'])]
const at = (host: string, members: object = {}) => hostSettings(7, { addresses: [{ host, port: 7 }], ...members })
const withProfile = (changes: object) => hostSettings(7, { profile: { ...testHostProfile, ...changes } })
const many = (count: number) => Array.from({ length: count }, (_, index) => `T${String(index).padStart(7, '0')}`)

test('settings with all members are accepted', () => {
  const settings = hostSettings(7, {
    addresses: [
      { host: 'host.acquirer.example', port: 5000 },
      { host: '2001:500:2f::f', port: 5000 },
    ],
    tls: { ca: pair.cert, pinnedKey: `${'A'.repeat(43)}=`, serverName: 'acquirer.example' },
    profile: { ...testHostProfile, forwarderId: '400999' },
    terminalIds: many(limits.connectorTerminalsMax),
    costs: [
      { currencies: ['EUR', 'USD'], basisPoints: 120, fixed: '0.10' },
      { currencies: ['JPY'], basisPoints: 200, fixed: '10' },
    ],
  })
  const { costs, checkCredentials, targets } = iso8583Kind.prepare(settings, inLive)
  expect(costs).toEqual([
    { currencies: new Set(['EUR']), basisPoints: 120, fixedMinor: 10 },
    { currencies: new Set(['USD']), basisPoints: 120, fixedMinor: 10 },
    { currencies: new Set(['JPY']), basisPoints: 200, fixedMinor: 10 },
  ])
  expect(Object.keys(targets)).toEqual([
    'settings/addresses/0/host',
    'settings/addresses/0/port',
    'settings/addresses/1/host',
    'settings/addresses/1/port',
    'settings/tls',
    'settings/tls/ca',
    'settings/tls/pinnedKey',
    'settings/tls/serverName',
  ])
  expect(() => checkCredentials({ certificate: pair.cert, key: pair.key })).not.toThrow()
})

describe('settings are refused', () => {
  const addressForm = 'settings/addresses/0/host must be a name in lower case, or an IP address in its usual form'
  test.each<[settings: unknown, message: string]>([
    [undefined, 'settings must be object'],
    [hostSettings(7, { addresses: [] }), 'settings/addresses must not have fewer than 1 items'],
    [hostSettings(0), 'settings/addresses/0/port must be >= 1'],
    [at('Host.Example'), addressForm],
    [at('host.example:99'), addressForm],
    [at('host.example/path'), addressForm],
    [at('user@host.example'), addressForm],
    [at('127.1'), addressForm],
    [at('2130706433'), addressForm],
    [at('0x7f.0.0.1'), addressForm],
    [at('0:0:0:0:0:0:0:1'), addressForm],
    [at('fe80::1%eth0'), addressForm],
    [at(' host.example'), addressForm],
    [at('169.254.169.254'), 'settings/addresses/0/host is not permitted: the host is a link-local address (RFC 3927)'],
    [at('192.168.0.1'), 'settings/addresses/0/host is not permitted: the host is a private address (RFC 1918)'],
    [at('::ffff:10.1.0.1'), addressForm],
    [hostSettings(7, { terminalIds: [] }), 'settings/terminalIds must not have fewer than 1 items'],
    [hostSettings(7, { terminalIds: ['AC000001', 'AC000001'] }), 'settings/terminalIds must not have duplicate items'],
    [hostSettings(7, { terminalIds: ['AC1'] }), 'settings/terminalIds/0 must match pattern'],
    [
      hostSettings(7, { terminalIds: many(limits.connectorTerminalsMax + 1) }),
      `settings/terminalIds must not have more than ${limits.connectorTerminalsMax} items`,
    ],
    [withProfile({ spec: 'ascii2003' }), 'settings/profile/spec must be one of ascii1987, binary1987'],
    [withProfile({ header: 'none' }), 'settings/profile/header must be one of binary2, bcd2, ascii4, vmlh, tpdu'],
    [withProfile({ acquirerId: '123456789012' }), 'settings/profile/acquirerId must match pattern'],
    [withProfile({ merchantCountry: 'XX' }), 'settings/profile/merchantCountry must be a country of ISO 3166-1'],
    [withProfile({ timeZone: 'Mars/Base' }), 'settings/profile/timeZone must be a time zone, such as Europe/Berlin'],
    [withProfile({ merchantName: 'Zoë' }), 'settings/profile/merchantName must match pattern'],
    [withProfile({ colour: 'red' }), 'settings/profile must not have colour'],
    [hostSettings(7, { tls: { ca: 'no certificate' } }), 'settings/tls/ca must be a certificate in PEM'],
    [hostSettings(7, { tls: { pinnedKey: 'abc' } }), 'settings/tls/pinnedKey must match pattern'],
    [hostSettings(7, { tls: { key: pair.key } }), 'settings/tls must not have key'],
    [
      hostSettings(7, { costs: [{ currencies: ['JPY'], basisPoints: 0, fixed: '0.50' }] }),
      'settings/costs/0/fixed: JPY has no decimals',
    ],
    [
      hostSettings(7, {
        costs: [
          { currencies: ['EUR'], basisPoints: 1, fixed: '0' },
          { currencies: ['EUR'], basisPoints: 2, fixed: '0' },
        ],
      }),
      'settings/costs/1/currencies must not repeat EUR',
    ],
  ])('%j', (settings, message) => {
    expect(() => iso8583Kind.prepare(settings, inTest)).toThrow(ConnectorSettingsError)
    expect(() => iso8583Kind.prepare(settings, inTest)).toThrow(message)
  })
})

test.each<[host: string, hasTls: boolean, test: boolean, live: boolean]>([
  ['host.example', true, true, true],
  ['host.example', false, true, false],
  ['10.1.0.1', false, true, true],
  ['10.2.0.1', true, false, false],
  ['127.0.0.1', true, true, false],
  ['localhost', true, true, false],
  ['::1', false, true, false],
])('the address %s with TLS %s is permitted in test: %s, in live: %s', (host, hasTls, isInTest, isInLive) => {
  const settings = at(host, hasTls ? { tls: {} } : {})
  const isPermitted = (rules: Rules) => {
    try {
      iso8583Kind.prepare(settings, rules)
      return true
    } catch (error) {
      if (error instanceof ConnectorSettingsError) return false
      throw error
    }
  }
  expect([isPermitted(inTest), isPermitted(inLive)]).toEqual([isInTest, isInLive])
})

test.each<[title: string, credentials: unknown, message: string]>([
  ['no object', 'secret', 'credentials must be object'],
  ['no key', { certificate: pair.cert }, 'credentials must have required properties key'],
  ['no certificate', { certificate: 'none', key: pair.key }, 'credentials/certificate must be a certificate in PEM'],
  [
    'a damaged key',
    { certificate: pair.cert, key: pair.key.replace('PRIVATE', 'PUBLIC') },
    'credentials/key must be a private key in PEM without a passphrase',
  ],
  ['another key', { certificate: pair.cert, key: other.key }, 'credentials/key must be the key of the certificate'],
])('credentials with %s are refused, and not quoted', (_, credentials, message) => {
  const { checkCredentials } = iso8583Kind.prepare(hostSettings(7, { tls: {} }), inTest)
  expect(() => checkCredentials(credentials)).toThrow(new ConnectorSettingsError(message))
})
