import type { ConnectionTest } from '@tollgate/connectors'
import { routeMethods } from '@tollgate/domain'
import { sandboxIds } from '@tollgate/operations'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hostSettings } from '../../testing/host-settings.ts'
import { type TestGateway, testGateway } from '../../testing/test-gateway.ts'
import type { CheckResult } from './installation-checks.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await testGateway()
  tollgate.clock.nowMs = Date.now()
})
afterEach(() => tollgate.close())

/** The results of one check, as `verdict: text`. */
async function resultsOf(check: string): Promise<readonly string[]> {
  const { status, body } = await tollgate.manage('GET', '/check')
  expect(status).toBe(200)
  const results: readonly CheckResult[] = body.results
  return results.filter(({ name }) => name === check).map(({ verdict, text }) => `${verdict}: ${text}`)
}

const certificate = (changes: object) =>
  Object.assign(tollgate.gateway, {
    tls: { attach: () => undefined, covers: () => true, expiresAtMs: () => Date.now() + 90 * 86_400_000, ...changes },
  })
let port = 7
const createConnector = (name: string) =>
  tollgate.manage('POST', '/connectors', { name, kind: 'iso8583', settings: hostSettings((port += 1)) })

test('a test environment is ready', async () => {
  expect(await resultsOf('setup')).toEqual(['ok: Payments can be processed.'])
  expect(await resultsOf('tls')).toEqual(['ok: The test environment uses plain HTTP.'])
  expect(await resultsOf('keys')).toEqual([expect.stringMatching(/^ok: The keys \S+ and \S+ are those of the data\.$/)])
  expect(await resultsOf('storage')).toEqual([expect.stringMatching(/^ok: A commit took \d+ ms\.$/)])
  tollgate.clock.nowMs = Date.now()
  expect(await resultsOf('clock')).toEqual(['ok: The clock agrees with that of the data folder.'])
  expect(await resultsOf('connectors')).toEqual(['warning: No connector is set up.'])
})

test.each([
  ['is valid', {}, /^ok: The certificate is valid for \d+ days, and for 127\.0\.0\.1\.$/],
  [
    'expires soon',
    { expiresAtMs: () => Date.now() + 3 * 86_400_000 },
    /^warning: The certificate expires in [23] days/,
  ],
  ['has expired', { expiresAtMs: () => Date.now() - 86_400_000 }, /^failed: The certificate has expired/],
  ['is for another host', { covers: () => false }, /^failed: The certificate is not for 127\.0\.0\.1/],
])('a certificate that %s', async (_, changes, expected) => {
  certificate(changes)
  expect(await resultsOf('tls')).toEqual([expect.stringMatching(expected)])
})

test('a key that is being replaced', async () => {
  expect((await tollgate.manage('POST', '/keys/rotate')).status).toBe(200)
  expect(await resultsOf('keys')).toEqual([expect.stringMatching(/^warning: The keys \S+ are being replaced/)])
})

test('a storage that cannot be reached, or does not commit', async () => {
  const { storage } = tollgate.gateway
  const commit = storage.commit.bind(storage)
  const isReachable = storage.isReachable.bind(storage)
  Object.assign(storage, { commit: () => Promise.reject(new Error('the disk is full')) })
  expect(await resultsOf('storage')).toEqual(['failed: A commit failed: the disk is full.'])
  Object.assign(storage, { commit, isReachable: () => false })
  expect(await resultsOf('storage')).toEqual(['failed: There is no connection to the database.'])
  Object.assign(storage, { isReachable })
})

test('a clock that differs from that of the database server', async () => {
  Object.assign(tollgate.gateway.storage, { serverTime: async () => tollgate.clock.nowMs + 1_900 })
  expect(await resultsOf('clock')).toEqual(['ok: The clock agrees with that of PostgreSQL.'])
  for (const serverTime of [async () => tollgate.clock.nowMs + 5_000, async () => tollgate.clock.nowMs - 5_000]) {
    Object.assign(tollgate.gateway.storage, { serverTime })
    expect(await resultsOf('clock')).toEqual([
      'failed: The clock differs by 5 s from that of PostgreSQL: synchronise both.',
    ])
  }
  Object.assign(tollgate.gateway.storage, { serverTime: undefined })
})

test('a clock that differs from that of the data folder', async () => {
  tollgate.clock.nowMs += 60_000
  expect(await resultsOf('clock')).toEqual([expect.stringMatching(/^failed: The clock differs by (?:59|60) s/)])
})

test('a clock that was put forward', async () => {
  await tollgate.manage('POST', '/clock', { advance: 'P1D' })
  expect(await resultsOf('clock')).toEqual(['warning: The clock was put forward for tests.'])
})

test('connectors that are connected, not connected, disabled, and not started', async () => {
  for (const name of ['acme', 'bright']) expect((await createConnector(name)).status).toBe(201)
  expect(await resultsOf('connectors')).toEqual([
    expect.stringMatching(/^failed: acme \(iso8583\) is not healthy/),
    expect.stringMatching(/^failed: bright \(iso8583\) is not healthy/),
  ])
  let tests: readonly ConnectionTest[] = []
  const connector = { kind: 'remote', name: 'acme', testConnections: async () => tests }
  const account = { connector, methods: new Set(routeMethods), enabled: true, costs: [] }
  Object.assign(tollgate.gateway.connectors, {
    find: (name: string) => (name === 'acme' ? { ...account, isHealthy: true } : undefined),
  })
  expect(await resultsOf('connectors')).toEqual([
    'ok: acme (iso8583) is ready.',
    'failed: bright (iso8583) cannot be started: the log names the reason.',
  ])
  const up = { address: '10.0.0.1:5000', tookMs: 2.5, failure: undefined }
  const down = { address: '10.0.0.2:5000', tookMs: 1, failure: 'the key of the server is not the pinned key' }
  tests = [up, down]
  expect((await resultsOf('connectors')).slice(0, 2)).toEqual([
    'ok: acme (iso8583), 10.0.0.1:5000: the host answered an echo in 3 ms.',
    'warning: acme (iso8583), 10.0.0.2:5000: the key of the server is not the pinned key: ' +
      'ask the acquirer whether its key has changed, and only then change settings/tls/pinnedKey.',
  ])
  tests = [down]
  expect((await resultsOf('connectors'))[0]).toMatch(/^failed: acme \(iso8583\), 10\.0\.0\.2:5000: /)
  await tollgate.manage('PATCH', '/connectors/acme', { state: 'disabled' })
  expect(await resultsOf('connectors')).toContain('warning: acme (iso8583) is disabled: it processes only follow-ups.')
})

test('brands and currencies without a route', async () => {
  const restricted = { settings: { brands: ['VISA', 'IDEAL'], currencies: ['EUR'] } }
  expect((await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, restricted)).status).toBe(200)
  const ofChannel = (results: readonly string[]) => results.filter((text) => text.includes(sandboxIds.channel))
  // No provider of redirect brands is connected.
  expect(ofChannel(await resultsOf('routes'))).toEqual([
    expect.stringMatching(/^warning: .+ has no route for: IDEAL\. /),
  ])
  const { redirect } = tollgate.gateway.acquirers
  Object.assign(tollgate.gateway.acquirers, { redirect: tollgate.gateway.acquirers.simulator })
  expect(ofChannel(await resultsOf('routes'))).toEqual([])
  Object.assign(tollgate.gateway.acquirers, { redirect })
})

test('channels that demand 3-D Secure without a directory server', async () => {
  expect(await resultsOf('threeDSecure')).toEqual([
    expect.stringMatching(/^warning: No directory server is connected: \d+ channels that demand 3-D Secure/),
  ])
})
