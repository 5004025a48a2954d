import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { limits } from './limits.ts'
import {
  choice,
  hostAddress,
  type SettingKind,
  networks,
  onOff,
  portNumber,
  portOrOff,
  postgresUrl,
  secondsAsMs,
  secret,
  text,
  webUrl,
} from './setting-kinds.ts'

interface Setting<T> {
  readonly name: string
  /** Parses the text of the variable, or refuses it. */
  readonly kind: SettingKind<T>
  /**
   * The value if the variable is empty or not set. It is absent if the default depends on other settings, or if there
   * is no default.
   */
  readonly default?: string
  readonly description: string
}

/** The table of settings, one row per variable. readConfig interprets it, and the guide for operators lists it. */
export const settings = {
  port: {
    name: 'PORT',
    kind: portNumber,
    default: '8080',
    description: 'Port of the listener for merchants and shoppers.',
  },
  host: { name: 'HOST', kind: text, default: '127.0.0.1', description: 'Address that the listeners bind to.' },
  managePort: {
    name: 'TOLLGATE_MANAGE_PORT',
    kind: portNumber,
    description: 'Port of the listener for operators, with the management API; PORT + 1 by default.',
  },
  shopPort: {
    name: 'TOLLGATE_SHOP_PORT',
    kind: portOrOff,
    description: 'Port of the sample shop, which needs the sandbox merchant; PORT + 2 by default, `off` for none.',
  },
  simulatorPort: {
    name: 'TOLLGATE_SIMULATOR_PORT',
    kind: portOrOff,
    description:
      'Port of the simulated banks, wallets and issuers, in the test environment only; with the sandbox ' +
      'merchant PORT + 3 by default, `off` for none.',
  },
  environment: {
    name: 'TOLLGATE_ENV',
    kind: choice('test', 'live'),
    default: 'test',
    description:
      '`test` or `live`. Live refuses simulators, plain HTTP without a trusted proxy, sandbox credentials and ' +
      'keys in the data folder.',
  },
  data: {
    name: 'TOLLGATE_DATA',
    kind: text,
    default: './data',
    description: 'Folder of the SQLite file and of the tombstone log.',
  },
  databaseUrl: {
    name: 'TOLLGATE_DATABASE_URL',
    kind: postgresUrl,
    description:
      '`postgres://user:password@host:port/database`: stores the data in PostgreSQL, which any number of ' +
      'processes may share; a SQLite file by default.',
  },
  keys: {
    name: 'TOLLGATE_KEYS',
    kind: text,
    description:
      'File with the keys, outside the data folder, or `exec:` and a program with arguments that prints them. ' +
      'Required in live; in test by default a file in TOLLGATE_DATA.',
  },
  manageKey: {
    name: 'TOLLGATE_MANAGE_KEY',
    kind: secret(limits.manageKeyCharsMin),
    description:
      `Bearer key of the management API, at least ${limits.manageKeyCharsMin} characters. ` +
      'Required in live; in test only the sandbox has a default.',
  },
  publicUrl: {
    name: 'TOLLGATE_PUBLIC_URL',
    kind: webUrl,
    description:
      'Address that merchants and shoppers use; http://HOST:PORT by default, https://HOST:PORT with a certificate or ' +
      'in live.',
  },
  simulatorUrl: {
    name: 'TOLLGATE_SIMULATOR_URL',
    kind: webUrl,
    description:
      'Address of the simulated banks, wallets and 3-D Secure servers, if they are not in the same process. ' +
      'Test environment only.',
  },
  acquirerPort: {
    name: 'TOLLGATE_ACQUIRER_PORT',
    kind: portOrOff,
    description:
      'Port of the acquirer’s test host (ISO 8583), which takes payments with testMode=EXTERNAL, in the test ' +
      'environment and beside the simulated banks only; with the sandbox merchant PORT + 4 by default, `off` for none.',
  },
  acquirerAddress: {
    name: 'TOLLGATE_ACQUIRER_ADDRESS',
    kind: hostAddress,
    description: '`host:port` of the acquirer’s test host, if it is not in the same process. Test environment only.',
  },
  settlementFolder: {
    name: 'TOLLGATE_SETTLEMENT_FOLDER',
    kind: text,
    description:
      'Folder in which settlement files arrive. Files that were stored are moved to its folder `read`, those that ' +
      'are empty, too large or archives to `refused`.',
  },
  clearingFolder: {
    name: 'TOLLGATE_CLEARING_FOLDER',
    kind: text,
    description:
      'Folder in which clearing files are put, in a folder for each connector with `presentation: file`; by default ' +
      '`clearing-files` in TOLLGATE_DATA.',
  },
  sftpPort: {
    name: 'TOLLGATE_SFTP_PORT',
    kind: portOrOff,
    description:
      'Port of the read-only SFTP server, from which merchants fetch their reconciliation records; by default `off`. ' +
      'It runs in a process of its own.',
  },
  sftpHostKey: {
    name: 'TOLLGATE_SFTP_HOST_KEY',
    kind: text,
    description:
      'File with the private host key of the SFTP server (Ed25519 or ECDSA, OpenSSH’s format), not accessible to ' +
      'other users; by default `sftp-host-key` in TOLLGATE_DATA, which is generated.',
  },
  tlsCert: {
    name: 'TOLLGATE_TLS_CERT',
    kind: text,
    description: 'File with the TLS certificate of both listeners and its chain, PEM. It is reloaded when it changes.',
  },
  tlsKey: {
    name: 'TOLLGATE_TLS_KEY',
    kind: text,
    description:
      'File with the private key of the certificate, PEM without a passphrase, not accessible to other users.',
  },
  trustedProxies: {
    name: 'TOLLGATE_TRUSTED_PROXY',
    kind: networks,
    description:
      'Addresses or networks (`10.1.0.0/16`), separated by commas, of proxies that terminate TLS: their ' +
      '`X-Forwarded-For` and `X-Forwarded-Proto` are trusted.',
  },
  connectorNetworks: {
    name: 'TOLLGATE_CONNECTOR_NETWORKS',
    kind: networks,
    description:
      'Private addresses or networks (`10.1.0.0/16`), separated by commas, in which connectors may reach acquirers ' +
      'and providers; by default they reach public addresses only, in the test environment also this machine.',
  },
  sandbox: {
    name: 'TOLLGATE_SANDBOX',
    kind: onOff,
    description:
      '`on` or `off`: the sandbox merchant with its published credentials; by default on in test if HOST is a ' +
      'loopback address.',
  },
  drainDelayMs: {
    name: 'TOLLGATE_DRAIN_DELAY_SECONDS',
    kind: secondsAsMs(limits.drainDelaySecondsMax),
    default: '0',
    description:
      'Time after the stop signal during which requests are still accepted while `/readyz` answers 503, so that ' +
      'a load balancer sends no more requests.',
  },
  logLevel: {
    name: 'TOLLGATE_LOG',
    kind: choice('debug', 'info', 'warn', 'error', 'silent'),
    default: 'info',
    description: 'Lowest level of written log lines: `debug`, `info`, `warn` or `error`; `silent` for no lines.',
  },
  seed: {
    name: 'TOLLGATE_SEED',
    kind: text,
    description: 'Fixes ids, so that a run is reproducible. Test environment only.',
  },
} satisfies Record<string, Setting<unknown>>

/** The paths of the certificate and of its key. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** The value of each setting; undefined if neither the variable nor a default is set. */
const valuesOf = (env: Environment) =>
  ({
    port: valueOf(env, settings.port),
    host: valueOf(env, settings.host),
    managePort: valueOf(env, settings.managePort),
    shopPort: valueOf(env, settings.shopPort),
    simulatorPort: valueOf(env, settings.simulatorPort),
    environment: valueOf(env, settings.environment),
    data: valueOf(env, settings.data),
    databaseUrl: valueOf(env, settings.databaseUrl),
    keys: valueOf(env, settings.keys),
    manageKey: valueOf(env, settings.manageKey),
    publicUrl: valueOf(env, settings.publicUrl),
    simulatorUrl: valueOf(env, settings.simulatorUrl),
    acquirerPort: valueOf(env, settings.acquirerPort),
    acquirerAddress: valueOf(env, settings.acquirerAddress),
    settlementFolder: valueOf(env, settings.settlementFolder),
    clearingFolder: valueOf(env, settings.clearingFolder),
    sftpPort: valueOf(env, settings.sftpPort),
    sftpHostKey: valueOf(env, settings.sftpHostKey),
    tlsCert: valueOf(env, settings.tlsCert),
    tlsKey: valueOf(env, settings.tlsKey),
    trustedProxies: valueOf(env, settings.trustedProxies),
    connectorNetworks: valueOf(env, settings.connectorNetworks),
    sandbox: valueOf(env, settings.sandbox),
    drainDelayMs: valueOf(env, settings.drainDelayMs),
    logLevel: valueOf(env, settings.logLevel),
    seed: valueOf(env, settings.seed),
  }) satisfies Record<keyof typeof settings, unknown>

function valueOf<T>(env: Environment, setting: Setting<T> & { readonly default: string }): T
function valueOf<T>(env: Environment, setting: Setting<T>): T | undefined
function valueOf<T>(env: Environment, setting: Setting<T>): T | undefined {
  const value = env[setting.name] || setting.default
  return value === undefined ? undefined : setting.kind(value, (requirement) => invalid(setting, requirement))
}

type Values = ReturnType<typeof valuesOf>

export type LogLevel = Values['logLevel']

/** The settings, with the defaults that depend on other settings. */
export interface Config extends Omit<Values, 'tlsCert' | 'tlsKey'> {
  readonly managePort: number
  /** undefined: no sample shop. */
  readonly shopPort: number | undefined
  /** undefined: no simulators of banks and issuers. */
  readonly simulatorPort: number | undefined
  /** undefined: no simulated host of an acquirer. */
  readonly acquirerPort: number | undefined
  readonly clearingFolder: string
  /** undefined: no SFTP server. */
  readonly sftpPort: number | undefined
  readonly manageKey: string
  readonly publicUrl: string
  /** undefined: the listeners use plain HTTP. */
  readonly tls: TlsFiles | undefined
  readonly sandbox: boolean
}

/**
 * An error that the operator can correct: of a setting, a file, a port, the keys or the database. The message is one
 * line without secrets.
 */
export class ConfigError extends Error {
  readonly isUserError = true
}

const SANDBOX_MANAGE_KEY = 'manage-sandbox'
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/

const isSandboxed = ({ environment, sandbox, host }: Values): boolean =>
  environment === 'test' && (sandbox ?? LOOPBACK.test(host))

type Rule = readonly [isBroken: boolean, setting: Setting<unknown>, requirement: string]

/** Rules that involve several settings. The error of the first broken rule is reported. */
function rulesOf(values: Values): readonly Rule[] {
  const { port, managePort, tlsCert, tlsKey, databaseUrl, seed, keys, publicUrl, manageKey } = values
  const [isLive, hasSandbox] = [values.environment === 'live', isSandboxed(values)]
  const isSet = (value: unknown) => value !== undefined
  const isPort = (value: unknown) => isSet(value) && value !== 'off'
  const notInLive = 'must not be set in the live environment'
  const notWithDatabase = `must not be set beside ${settings.databaseUrl.name}: processes would generate the same ids`
  const keysInLive = 'must name a key file, or a command that prints the keys, in the live environment'
  const proxy = settings.trustedProxies.name
  const tlsInLive = `must be set in the live environment, unless ${proxy} names the proxy that terminates TLS`
  const httpsInLive = 'must be an https address in the live environment'
  const isLastPort = port === limits.portMax
  const hasSimulators =
    !isSet(values.simulatorUrl) && (hasSandbox ? values.simulatorPort !== 'off' : isPort(values.simulatorPort))
  const notWithoutSimulators = 'must not be set if the simulators are not in the same process'
  return [
    [isLastPort && !isSet(managePort), settings.managePort, `must be set if PORT is ${limits.portMax}`],
    [isSet(tlsKey) && !isSet(tlsCert), settings.tlsCert, `must be set if ${settings.tlsKey.name} is set`],
    [isSet(tlsCert) && !isSet(tlsKey), settings.tlsKey, `must be set if ${settings.tlsCert.name} is set`],
    [isSet(databaseUrl) && isSet(seed), settings.seed, notWithDatabase],
    [isLive && values.sandbox === true, settings.sandbox, 'must be off in the live environment'],
    [isLive && isSet(seed), settings.seed, notInLive],
    [isLive && isSet(values.simulatorUrl), settings.simulatorUrl, notInLive],
    [isLive && isSet(values.acquirerAddress), settings.acquirerAddress, notInLive],
    [isLive && isPort(values.acquirerPort), settings.acquirerPort, notInLive],
    [isLive && !isSet(keys), settings.keys, keysInLive],
    [isLive && !isSet(tlsCert) && !isSet(values.trustedProxies), settings.tlsCert, tlsInLive],
    [isLive && publicUrl?.startsWith('http:') === true, settings.publicUrl, httpsInLive],
    [!hasSandbox && isPort(values.shopPort), settings.shopPort, 'must not be set without the sandbox merchant'],
    [isLive && isPort(values.simulatorPort), settings.simulatorPort, notInLive],
    [isPort(values.acquirerPort) && !hasSimulators, settings.acquirerPort, notWithoutSimulators],
    [isLive && !isSet(manageKey), settings.manageKey, 'must be set in the live environment'],
    [!hasSandbox && manageKey === SANDBOX_MANAGE_KEY, settings.manageKey, 'must not be the published sandbox key'],
  ]
}

/**
 * Reads the settings from the environment.
 *
 * @param env usually process.env; an unknown variable TOLLGATE_… is an error, because it is probably misspelt,
 * except TOLLGATE_TEST_…, which the tests read
 * @throws ConfigError that names the variable and never contains the value of a secret
 */
export function readConfig(env: Environment): Config {
  refuseUnknown(env)
  const values = valuesOf(env)
  for (const [isBroken, setting, requirement] of rulesOf(values)) if (isBroken) throw invalid(setting, requirement)
  const { tlsCert, tlsKey, ...rest } = values
  const { port, host, environment, managePort, shopPort, simulatorPort, manageKey, publicUrl } = values
  const sandbox = isSandboxed(values)
  const tls = tlsCert === undefined || tlsKey === undefined ? undefined : { cert: tlsCert, key: tlsKey }
  return {
    ...rest,
    managePort: managePort ?? portAfter(port, 1),
    shopPort: servicePort(shopPort, sandbox, portAfter(port, 2)),
    simulatorPort: servicePort(simulatorPort, sandbox, portAfter(port, 3)),
    clearingFolder: values.clearingFolder ?? join(values.data, 'clearing-files'),
    sftpPort: values.sftpPort === 'off' ? undefined : values.sftpPort,
    acquirerPort: servicePort(values.acquirerPort, sandbox, portAfter(port, 4)),
    // Without a key and without the sandbox the key is random and never shown: the management API accepts no request.
    manageKey: manageKey ?? (sandbox ? SANDBOX_MANAGE_KEY : randomBytes(32).toString('hex')),
    publicUrl: publicUrl ?? `${tls || environment === 'live' ? 'https' : 'http'}://${bracketed(host)}:${port}`,
    tls,
    sandbox,
  }
}

function refuseUnknown(env: Environment): void {
  const names = Object.values(settings).map(({ name }) => name)
  for (const name of Object.keys(env)) {
    if (name.startsWith('TOLLGATE_') && !name.startsWith('TOLLGATE_TEST_') && !names.includes(name)) {
      throw new ConfigError(`${name} is not a setting of Tollgate; the settings are ${names.join(', ')}`)
    }
  }
}

/** The default of a port that depends on PORT. If PORT is 0, the system chooses this port, too. */
const portAfter = (port: number, offset: number): number => (port === 0 ? 0 : port + offset)

/**
 * The port of an optional service; undefined if the service does not start. A service whose port is not configured
 * starts only with the sandbox, and only if its default port is not too high.
 */
function servicePort(
  configured: number | 'off' | undefined,
  hasSandbox: boolean,
  defaultPort: number,
): number | undefined {
  if (configured !== undefined) return configured === 'off' ? undefined : configured
  return hasSandbox && defaultPort <= limits.portMax ? defaultPort : undefined
}

/** A host as URLs contain it: an IPv6 address is in brackets. */
export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

const invalid = ({ name }: Setting<unknown>, requirement: string): ConfigError =>
  new ConfigError(`${name} ${requirement}`)

/**
 * The error of a listener that failed to start: a ConfigError that names the given setting if the port is in use, any
 * other error unchanged.
 */
export function listenError({ name }: { readonly name: string }, error: unknown): unknown {
  const isInUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  return isInUse ? new ConfigError(`${error.message}: another process listens there; set ${name}`) : error
}
