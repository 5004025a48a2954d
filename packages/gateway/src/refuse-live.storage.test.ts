import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '@tollgate/storage'
import { afterAll, expect, test } from 'vitest'
import { startGateway } from './start-gateway.ts'
import { ConfigError, readConfig } from './config.ts'
import { generateKeys } from './keys/generate-keys.ts'
import { refuseLive } from './refuse-live.ts'
import { sandboxToken } from '@tollgate/operations'
import { CLOCK_OFFSET } from './runtime/clock/stored-clock.ts'
import { cardPayment, testGateway } from './testing/test-gateway.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-live-'))
afterAll(() => rmSync(folder, { recursive: true }))

const pathOf = (...names: readonly string[]) => join(folder, ...names)
mkdirSync(pathOf('fresh'))
const ring = generateKeys()
for (const file of [pathOf('keys.json'), pathOf('open.json'), pathOf('fresh', 'keys.json')]) {
  writeFileSync(file, ring, { mode: 0o600 })
}
chmodSync(pathOf('open.json'), 0o644)

/** Valid settings of the live environment. */
const LIVE = {
  TOLLGATE_ENV: 'live',
  TOLLGATE_KEYS: pathOf('keys.json'),
  TOLLGATE_MANAGE_KEY: 'a key of my own',
  TOLLGATE_TRUSTED_PROXY: '10.0.0.1',
  TOLLGATE_DATA: pathOf('fresh'),
  TOLLGATE_LOG: 'silent',
  PORT: '0',
}

test.each<readonly [subject: string, changes: Record<string, string>, message: RegExp]>([
  ['the sandbox', { TOLLGATE_SANDBOX: 'on' }, /^TOLLGATE_SANDBOX must be off /],
  ['fixed ids', { TOLLGATE_SEED: '7' }, /^TOLLGATE_SEED must not be set /],
  ['no keys', { TOLLGATE_KEYS: '' }, /^TOLLGATE_KEYS must name a key file/],
  ['no management key', { TOLLGATE_MANAGE_KEY: '' }, /^TOLLGATE_MANAGE_KEY must be set /],
  [
    'the published management key',
    { TOLLGATE_MANAGE_KEY: 'manage-sandbox' },
    /^TOLLGATE_MANAGE_KEY must not be the published/,
  ],
  ['plain HTTP', { TOLLGATE_TRUSTED_PROXY: '' }, /^TOLLGATE_TLS_CERT must be set .+ TOLLGATE_TRUSTED_PROXY /],
  [
    'a public address with plain HTTP',
    { TOLLGATE_PUBLIC_URL: 'http://pay.example' },
    /^TOLLGATE_PUBLIC_URL must be an https address/,
  ],
  [
    'keys in the data folder',
    { TOLLGATE_KEYS: pathOf('fresh', 'keys.json') },
    /^TOLLGATE_KEYS must be outside TOLLGATE_DATA/,
  ],
  [
    'a missing key file in the data folder',
    { TOLLGATE_KEYS: pathOf('fresh', 'deep', 'keys.json') },
    /^TOLLGATE_KEYS must be outside/,
  ],
  [
    'keys that other users may read',
    { TOLLGATE_KEYS: pathOf('open.json') },
    /^TOLLGATE_KEYS: .+open\.json is open to other users/,
  ],
  [
    'a missing key file',
    { TOLLGATE_KEYS: pathOf('none.json') },
    /^TOLLGATE_KEYS: .+none\.json does not exist; make one with/,
  ],
])('the live environment refuses %s in one line that names the setting', async (_, changes, message) => {
  const start = async () => startGateway(readConfig({ ...LIVE, ...changes }))
  const error = await start().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConfigError)
  expect(String(error)).not.toContain('\n')
  expect(error).toMatchObject({ message: expect.stringMatching(message) })
})

test('the live environment refuses data of a test environment', async () => {
  const tollgate = await testGateway()
  const { storage } = tollgate.gateway
  const [sqliteConfig, postgresConfig] = [
    LIVE,
    { ...LIVE, TOLLGATE_DATABASE_URL: 'postgres://127.0.0.1/tollgate' },
  ].map(readConfig)
  if (!sqliteConfig || !postgresConfig) throw new Error('two configurations are expected')
  const sandboxed = 'names data with the sandbox merchant, whose token is published: the live environment needs data of'
  await expect(refuseLive(sqliteConfig, storage)).rejects.toThrow(`TOLLGATE_DATA ${sandboxed} its own`)
  await expect(refuseLive(postgresConfig, storage)).rejects.toThrow(`TOLLGATE_DATABASE_URL ${sandboxed} its own`)
  await tollgate.close()
  const advanced = openMemory()
  for (const value of ['60000', 'NaN']) {
    await advanced.commit({ id: 'u', expectedVersions: [], rows: { installation: [{ name: CLOCK_OFFSET, value }] } })
    await expect(refuseLive(sqliteConfig, advanced)).rejects.toThrow(
      'TOLLGATE_DATA names data whose clock was put forward for tests',
    )
  }
})

test('behind a proxy, payments without TLS are refused, unlike health checks and management requests', async () => {
  const tollgate = await testGateway({
    env: { ...LIVE, TOLLGATE_DATA: pathOf('fresh'), TOLLGATE_TRUSTED_PROXY: '127.0.0.1' },
  })
  const pay = (proto: string) =>
    tollgate.send('POST', '/v1/payments', cardPayment(), {
      'x-forwarded-proto': proto,
      authorization: `Bearer ${sandboxToken}`,
    })
  const [plain, secure] = [await pay('http'), await pay('https')]
  expect([plain.status, plain.body.result.code, plain.text]).toEqual([
    403,
    '800.900.300',
    expect.stringContaining('TLS'),
  ])
  // With TLS the payment is refused for another reason: its token is that of the sandbox, which is off.
  expect([secure.status, secure.text]).toEqual([403, expect.not.stringContaining('TLS')])
  const ready = await tollgate.request({ method: 'GET', url: '/readyz', headers: { 'x-forwarded-proto': 'http' } })
  expect([ready.status, ready.text]).toEqual([503, expect.stringContaining('no connector to an acquirer is enabled')])
  expect((await tollgate.manage('GET', '/entities', undefined, LIVE.TOLLGATE_MANAGE_KEY)).status).toBe(200)
  await tollgate.close()
})
