import { BlockList } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type Rules, usualPorts } from '../target.ts'
import { ConnectorSettingsError } from './connector-kind.ts'
import { upstreamKind } from './upstream-kind.ts'

const networks = new BlockList()
networks.addSubnet('10.1.0.0', 16, 'ipv4')
const inTest: Rules = { environment: 'test', ports: usualPorts, networks }
const inLive: Rules = { ...inTest, environment: 'live' }

const account = { entityId: 'a'.repeat(32), verificationCurrency: 'EUR' }
const at = (baseUrl: string, members: object = {}) => ({ baseUrl, ...account, ...members })

const addressForm = 'settings/baseUrl must be an address such as https://pay.example, without a slash'

test.each<[baseUrl: string, test: boolean, live: boolean]>([
  ['https://pay.example', true, true],
  ['https://pay.example:9443/gateway', true, true],
  ['http://pay.example', true, false],
  ['http://127.0.0.1:8080', true, false],
  ['https://10.1.2.3:9443', true, true],
  ['https://10.2.2.3', false, false],
  ['https://169.254.169.254', false, false],
  ['ftp://pay.example', false, false],
])('the address %s is permitted in test: %s, in live: %s', (baseUrl, isInTest, isInLive) => {
  const isPermitted = (rules: Rules) => {
    try {
      upstreamKind.prepare(at(baseUrl), rules)
      return true
    } catch (error) {
      if (error instanceof ConnectorSettingsError) return false
      throw error
    }
  }
  expect([isPermitted(inTest), isPermitted(inLive)]).toEqual([isInTest, isInLive])
})

describe('settings are refused', () => {
  test.each<[settings: unknown, message: string]>([
    [undefined, 'settings must be object'],
    [at('https://pay.example/'), addressForm],
    [at('https://PAY.example'), addressForm],
    [at('https://pay.example?entity=1'), addressForm],
    [at('https://user:secret@pay.example'), addressForm],
    [at('pay.example'), addressForm],
    [at('https://192.168.0.1'), 'settings/baseUrl is not permitted: the host is a private address (RFC 1918)'],
    [at('https://pay.example', { entityId: '../1' }), 'settings/entityId must match pattern'],
    [at('https://pay.example', { verificationCurrency: 'EURO' }), 'settings/verificationCurrency must be one of'],
    [at('https://pay.example', { tls: { ca: 'none' } }), 'settings/tls/ca must be a certificate in PEM'],
    [at('http://pay.example', { tls: {} }), 'settings/tls must not be set without https'],
    [at('https://pay.example', { accessToken: 'secret' }), 'settings must not have accessToken'],
  ])('%j', (settings, message) => {
    expect(() => upstreamKind.prepare(settings, inTest)).toThrow(ConnectorSettingsError)
    expect(() => upstreamKind.prepare(settings, inTest)).toThrow(message)
  })
})

test.each<[title: string, credentials: unknown, message: string]>([
  ['none', undefined, 'credentials must be object'],
  ['no access token', {}, 'credentials must have required properties accessToken'],
  ['a line break', { accessToken: 'a\nb' }, 'credentials/accessToken must match pattern'],
  ['a short key', { accessToken: 'a', notificationKey: 'ab' }, 'credentials/notificationKey must match pattern'],
])('credentials are refused: %s', (_, credentials, message) => {
  const { checkCredentials } = upstreamKind.prepare(at('https://pay.example'), inTest)
  expect(() => checkCredentials(credentials)).toThrow(ConnectorSettingsError)
  expect(() => checkCredentials(credentials)).toThrow(message)
})
