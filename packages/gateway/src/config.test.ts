import { describe, expect, test } from 'vitest'
import { type Config, ConfigError, readConfig, settings } from './config.ts'

const refusal = (env: Readonly<Record<string, string>>): string => {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'accepted'
}

test('the default environment is test, with the sandbox, on the loopback address', () => {
  expect(readConfig({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    managePort: 8081,
    shopPort: 8082,
    simulatorPort: 8083,
    acquirerPort: 8084,
    environment: 'test',
    data: './data',
    keys: undefined,
    manageKey: 'manage-sandbox',
    publicUrl: 'http://127.0.0.1:8080',
    tls: undefined,
    trustedProxies: undefined,
    sandbox: true,
    drainDelayMs: 0,
    logLevel: 'info',
    seed: undefined,
    clearingFolder: 'data/clearing-files',
  })
})

test('an empty value counts as not set', () => {
  const empty = Object.fromEntries(Object.values(settings).map(({ name }) => [name, '']))
  expect(readConfig(empty)).toEqual(readConfig({}))
})

const TLS = { TOLLGATE_TLS_CERT: '/etc/tls.crt', TOLLGATE_TLS_KEY: '/etc/tls.key' }
const LIVE = { TOLLGATE_ENV: 'live', TOLLGATE_KEYS: '/etc/keys.json', TOLLGATE_MANAGE_KEY: 'a key of my own', ...TLS }

describe('configured settings', () => {
  test.each<{ env: Readonly<Record<string, string>>; config: Partial<Config> }>([
    { env: { PORT: '9000' }, config: { port: 9000, managePort: 9001, publicUrl: 'http://127.0.0.1:9000' } },
    { env: { PORT: '0' }, config: { port: 0, shopPort: 0, simulatorPort: 0, acquirerPort: 0 } },
    {
      env: { PORT: '65535', TOLLGATE_MANAGE_PORT: '1' },
      config: { port: 65_535, managePort: 1, shopPort: undefined, simulatorPort: undefined },
    },
    {
      env: { TOLLGATE_SHOP_PORT: '9', TOLLGATE_SIMULATOR_PORT: 'off' },
      config: { shopPort: 9, simulatorPort: undefined },
    },
    { env: { TOLLGATE_SANDBOX: 'off' }, config: { shopPort: undefined, simulatorPort: undefined } },
    { env: { TOLLGATE_SANDBOX: 'off', TOLLGATE_SIMULATOR_PORT: '9' }, config: { simulatorPort: 9 } },
    { env: LIVE, config: { shopPort: undefined, simulatorPort: undefined, acquirerPort: undefined } },
    { env: { TOLLGATE_ACQUIRER_PORT: 'off' }, config: { simulatorPort: 8083, acquirerPort: undefined } },
    {
      env: { TOLLGATE_SANDBOX: 'off', TOLLGATE_SIMULATOR_PORT: '9', TOLLGATE_ACQUIRER_PORT: '10' },
      config: { acquirerPort: 10 },
    },
    {
      env: { TOLLGATE_ACQUIRER_ADDRESS: 'acquirer.internal:9100' },
      config: { acquirerAddress: { host: 'acquirer.internal', port: 9_100 } },
    },
    { env: { TOLLGATE_ACQUIRER_ADDRESS: '[::1]:1' }, config: { acquirerAddress: { host: '::1', port: 1 } } },
    { env: { TOLLGATE_PUBLIC_URL: 'https://pay.example/' }, config: { publicUrl: 'https://pay.example' } },
    { env: { TOLLGATE_DATA: '/var/lib/tollgate' }, config: { data: '/var/lib/tollgate' } },
    { env: { TOLLGATE_DRAIN_DELAY_SECONDS: '300' }, config: { drainDelayMs: 300_000 } },
    { env: { TOLLGATE_LOG: 'silent' }, config: { logLevel: 'silent' } },
    { env: { TOLLGATE_SEED: '7' }, config: { seed: '7' } },
    { env: { HOST: 'localhost' }, config: { sandbox: true } },
    { env: { HOST: '::1' }, config: { sandbox: true, publicUrl: 'http://[::1]:8080' } },
    { env: TLS, config: { tls: { cert: '/etc/tls.crt', key: '/etc/tls.key' }, publicUrl: 'https://127.0.0.1:8080' } },
    { env: { HOST: '127.9.9.9' }, config: { sandbox: true } },
    { env: { HOST: '0.0.0.0' }, config: { sandbox: false } },
    { env: { HOST: '0.0.0.0', TOLLGATE_SANDBOX: 'on' }, config: { sandbox: true, manageKey: 'manage-sandbox' } },
    { env: { TOLLGATE_SANDBOX: 'off' }, config: { sandbox: false } },
    { env: { TOLLGATE_MANAGE_KEY: '123456789012' }, config: { manageKey: '123456789012' } },
    {
      env: LIVE,
      config: { environment: 'live', sandbox: false, keys: '/etc/keys.json', manageKey: 'a key of my own' },
    },
    { env: { TOLLGATE_TEST_LONG: '1', OTHER: 'x' }, config: { port: 8080 } },
  ])('$env results in $config', ({ env, config }) => {
    expect(readConfig(env)).toMatchObject(config)
  })

  test('without the sandbox and without a configured key, the management key is random', () => {
    const [first, second] = [readConfig({ TOLLGATE_SANDBOX: 'off' }), readConfig({ TOLLGATE_SANDBOX: 'off' })]
    expect(first.manageKey).toMatch(/^[0-9a-f]{64}$/)
    expect(first.manageKey).not.toBe(second.manageKey)
  })
})

describe('an invalid setting is reported in one line that names the setting', () => {
  test.each<{ env: Readonly<Record<string, string>>; message: RegExp }>([
    { env: { PORT: 'x' }, message: /^PORT must be a port number/ },
    { env: { PORT: '65536' }, message: /^PORT must be a port number/ },
    { env: { PORT: '-1' }, message: /^PORT must be a port number/ },
    { env: { PORT: '65535' }, message: /^TOLLGATE_MANAGE_PORT must be set/ },
    { env: { TOLLGATE_MANAGE_PORT: '8.5' }, message: /^TOLLGATE_MANAGE_PORT must be a port number/ },
    {
      env: { TOLLGATE_SHOP_PORT: 'on' },
      message: /^TOLLGATE_SHOP_PORT must be a port number from 0 to 65535, or off$/,
    },
    {
      env: { TOLLGATE_SANDBOX: 'off', TOLLGATE_SHOP_PORT: '9' },
      message: /^TOLLGATE_SHOP_PORT must not be set without the sandbox merchant$/,
    },
    { env: { ...LIVE, TOLLGATE_SIMULATOR_PORT: '9' }, message: /^TOLLGATE_SIMULATOR_PORT must not be set in the live/ },
    { env: { ...LIVE, TOLLGATE_ACQUIRER_PORT: '9' }, message: /^TOLLGATE_ACQUIRER_PORT must not be set in the live/ },
    {
      env: { ...LIVE, TOLLGATE_ACQUIRER_ADDRESS: 'a:9' },
      message: /^TOLLGATE_ACQUIRER_ADDRESS must not be set in the/,
    },
    ...[
      { TOLLGATE_SIMULATOR_PORT: 'off' },
      { TOLLGATE_SIMULATOR_URL: 'http://127.0.0.1:9' },
      { TOLLGATE_SANDBOX: 'off' },
    ].map((env) => ({
      env: { ...env, TOLLGATE_ACQUIRER_PORT: '9' },
      message: /^TOLLGATE_ACQUIRER_PORT must not be set if the simulators are not in the same process$/,
    })),
    ...['localhost', 'localhost:', ':9', 'localhost:0', 'localhost:65536', '::1:9', 'http://localhost:9'].map(
      (address) => ({
        env: { TOLLGATE_ACQUIRER_ADDRESS: address },
        message: /^TOLLGATE_ACQUIRER_ADDRESS must be an address of the form host:port$/,
      }),
    ),
    { env: { TOLLGATE_ENV: 'prod' }, message: /^TOLLGATE_ENV must be one of test, live$/ },
    { env: { TOLLGATE_SANDBOX: 'yes' }, message: /^TOLLGATE_SANDBOX must be one of on, off$/ },
    { env: { TOLLGATE_DRAIN_DELAY_SECONDS: '1.5' }, message: /^TOLLGATE_DRAIN_DELAY_SECONDS must be whole seconds/ },
    { env: { TOLLGATE_DRAIN_DELAY_SECONDS: '301' }, message: /^TOLLGATE_DRAIN_DELAY_SECONDS must be .* to 300$/ },
    { env: { TOLLGATE_LOG: 'loud' }, message: /^TOLLGATE_LOG must be one of debug, info, warn, error, silent$/ },
    { env: { TOLLGATE_PUBLIC_URL: 'pay.example' }, message: /^TOLLGATE_PUBLIC_URL must be/ },
    { env: { TOLLGATE_PUBLIC_URL: 'ftp://pay.example' }, message: /^TOLLGATE_PUBLIC_URL must be/ },
    {
      env: { TOLLGATE_TLS_CERT: '/etc/tls.crt' },
      message: /^TOLLGATE_TLS_KEY must be set if TOLLGATE_TLS_CERT is set$/,
    },
    {
      env: { TOLLGATE_TLS_KEY: '/etc/tls.key' },
      message: /^TOLLGATE_TLS_CERT must be set if TOLLGATE_TLS_KEY is set$/,
    },
    ...['proxy.example', '10.0.0.0/33', '10.0.0.0/0', '::/129', '10.0.0.1;10.0.0.2', '10.0.0.1,', 'on', '*'].map(
      (list) => ({
        env: { TOLLGATE_TRUSTED_PROXY: list },
        message: /^TOLLGATE_TRUSTED_PROXY must be at most 100 addresses or networks, separated by commas, such as /,
      }),
    ),
    { env: { TOLLGATE_PRT: '1' }, message: /^TOLLGATE_PRT is not a setting of Tollgate; the settings are PORT, / },
    { env: { TOLLGATE_MANAGE_KEY: 'short' }, message: /^TOLLGATE_MANAGE_KEY must have at least 12 characters$/ },
    {
      env: { TOLLGATE_SANDBOX: 'off', TOLLGATE_MANAGE_KEY: 'manage-sandbox' },
      message: /^TOLLGATE_MANAGE_KEY must not be the published sandbox key$/,
    },
    { env: { ...LIVE, TOLLGATE_KEYS: '' }, message: /^TOLLGATE_KEYS must name a key file/ },
    { env: { ...LIVE, TOLLGATE_MANAGE_KEY: '' }, message: /^TOLLGATE_MANAGE_KEY must be set/ },
    { env: { ...LIVE, TOLLGATE_MANAGE_KEY: 'manage-sandbox' }, message: /^TOLLGATE_MANAGE_KEY must not be/ },
    { env: { ...LIVE, TOLLGATE_SANDBOX: 'on' }, message: /^TOLLGATE_SANDBOX must be off/ },
    {
      env: { ...LIVE, TOLLGATE_TLS_CERT: '', TOLLGATE_TLS_KEY: '' },
      message: /^TOLLGATE_TLS_CERT must be set in the live/,
    },
    { env: { ...LIVE, TOLLGATE_PUBLIC_URL: 'http://pay.example' }, message: /^TOLLGATE_PUBLIC_URL must be an https/ },
    { env: { ...LIVE, TOLLGATE_SEED: '7' }, message: /^TOLLGATE_SEED must not be set/ },
  ])('$env is refused', ({ env, message }) => {
    const actual = refusal(env)
    expect(actual).toMatch(message)
    expect(actual).not.toContain('\n')
  })

  test('the message about a management key or database URL does not contain its secret', () => {
    expect(refusal({ TOLLGATE_MANAGE_KEY: 'hunter2' })).not.toContain('hunter2')
    expect(refusal({ TOLLGATE_DATABASE_URL: 'mysql://user:hunter2@127.0.0.1/tollgate' })).not.toContain('hunter2')
  })
})

test('every setting has a unique name, and a description that ends with a full stop', () => {
  const rows = Object.values(settings)
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
  for (const { name, description } of rows) {
    expect(name).toMatch(/^(PORT|HOST|TOLLGATE_[A-Z_]+)$/)
    expect(description).toMatch(/\.$/)
  }
})
