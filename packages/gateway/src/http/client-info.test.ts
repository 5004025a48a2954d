import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { clientInfoOf } from './client-info.ts'

const PROXIES = '10.1.0.0/16, 2001:db8::/32,192.0.2.7'

/** A request whose connection has the remote address `peer`. */
function requestFrom(peer: string | undefined, headers: Readonly<Record<string, string>>): IncomingMessage {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: peer })
  // The object has only the fields that `clientInfoOf` reads, because a complete request needs a parser.
  return Object.assign(Object.create(null), { socket, headers })
}
const clientInfo = (proxies = PROXIES) => clientInfoOf(readConfig({ TOLLGATE_TRUSTED_PROXY: proxies }))

test.each<readonly [peer: string | undefined, forwardedFor: string | undefined, address: string | undefined]>([
  ['203.0.113.9', undefined, '203.0.113.9'],
  ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['10.1.2.3', undefined, '10.1.2.3'],
  ['10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['192.0.2.7', '198.51.100.1', '198.51.100.1'],
  ['192.0.2.8', '198.51.100.1', '192.0.2.8'],
  ['2001:db8::1', '2001:4860::8', '2001:4860::8'],
  ['10.1.2.3', '6.6.6.6, 198.51.100.1', '198.51.100.1'],
  ['10.1.2.3', '6.6.6.6, 198.51.100.1, 10.1.9.9', '198.51.100.1'],
  ['10.1.2.3', '10.1.9.9', '10.1.9.9'],
  ['10.1.2.3', '6.6.6.6, unknown', '10.1.2.3'],
  ['10.1.2.3', '<script>', '10.1.2.3'],
  ['10.1.2.3', '', '10.1.2.3'],
  ['10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
  ['10.1.2.3', '[2001:4860::8]:4711', '2001:4860::8'],
  [undefined, '198.51.100.1', undefined],
])('a request from %s with X-Forwarded-For %s has the address %s', (peer, forwardedFor, address) => {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
  expect(clientInfo().addressOf(requestFrom(peer, headers))).toBe(address)
})

test('without a trusted proxy X-Forwarded-For is ignored', () => {
  const request = requestFrom('127.0.0.1', { 'x-forwarded-for': '198.51.100.1' })
  expect(clientInfo('').addressOf(request)).toBe('127.0.0.1')
})

test.each<readonly [peer: string, proto: string | undefined, isPlain: boolean]>([
  ['203.0.113.9', undefined, true],
  ['203.0.113.9', 'https', true],
  ['127.0.0.1', undefined, false],
  ['::1', undefined, false],
  ['::ffff:127.0.0.1', undefined, false],
  ['10.1.2.3', undefined, true],
  ['10.1.2.3', 'https', false],
  ['10.1.2.3', 'HTTPS', false],
  ['10.1.2.3', 'http', true],
  ['10.1.2.3', 'https, http', true],
  ['10.1.2.3', 'http, https', false],
])('a request from %s with X-Forwarded-Proto %s counts as plain HTTP: %s', (peer, proto, isPlain) => {
  expect(clientInfo().isPlain(requestFrom(peer, proto === undefined ? {} : { 'x-forwarded-proto': proto }))).toBe(
    isPlain,
  )
})
