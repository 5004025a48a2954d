import { randomBytes } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import { parseUrl } from '@tollgate/contract'
import { limits } from './limits.ts'

/** What a setting's text is read as. */
type Kind = 'port' | 'text' | 'environment' | 'switch' | 'level' | 'seconds'

interface Setting {
  readonly name: string
  readonly kind: Kind
  /** What holds when it is not set; null: depends on others, see `config`. */
  readonly standard: string | null
  readonly secret?: true
  readonly about: string
}

/** The table of settings: it is read at start, printed in error messages, and generates the reference page. */
export const settings = {
  port: { name: 'PORT', kind: 'port', standard: '8080', about: 'Public listener.' },
  host: { name: 'HOST', kind: 'text', standard: '127.0.0.1', about: 'Address that the listeners bind to.' },
  managePort: {
    name: 'TOLLGATE_MANAGE_PORT',
    kind: 'port',
    standard: null,
    about: 'Listener for operators: management API. PORT + 1 unless set.',
  },
  shopPort: {
    name: 'TOLLGATE_SHOP_PORT',
    kind: 'port',
    standard: null,
    about: 'Sample shop, only with the sandbox merchant: PORT + 2 unless set, `off` for none.',
  },
  simulatorPort: {
    name: 'TOLLGATE_SIMULATOR_PORT',
    kind: 'port',
    standard: null,
    about:
      'Simulated banks, wallets and issuers that shoppers are sent to, only in test: with the sandbox merchant ' +
      'PORT + 3 unless set, `off` for none.',
  },
  environment: {
    name: 'TOLLGATE_ENV',
    kind: 'environment',
    standard: 'test',
    about:
      '`test` or `live`. Live refuses simulators, plain HTTP unless behind a named proxy, sandbox credentials and ' +
      'keys kept beside the data.',
  },
  data: { name: 'TOLLGATE_DATA', kind: 'text', standard: './data', about: 'Folder of the SQLite file.' },
  databaseUrl: {
    name: 'TOLLGATE_DATABASE_URL',
    kind: 'text',
    standard: null,
    secret: true,
    about:
      '`postgres://user:password@host:port/database`: data in PostgreSQL, which any number of processes may share. ' +
      'Unset: in a SQLite file.',
  },
  keys: {
    name: 'TOLLGATE_KEYS',
    kind: 'text',
    standard: null,
    about:
      'File with the keys, outside the data folder, or `exec:` and a program with its arguments that prints them. ' +
      'Required in live; test makes a file in TOLLGATE_DATA.',
  },
  manageKey: {
    name: 'TOLLGATE_MANAGE_KEY',
    kind: 'text',
    standard: null,
    secret: true,
    about:
      `Bearer key of the management API, ${limits.manageKeyCharsMin} characters or more. ` +
      'Required in live; elsewhere only the sandbox has one.',
  },
  publicUrl: {
    name: 'TOLLGATE_PUBLIC_URL',
    kind: 'text',
    standard: null,
    about: 'The address merchants and shoppers use. http://HOST:PORT unless set, with a certificate https.',
  },
  simulatorUrl: {
    name: 'TOLLGATE_SIMULATOR_URL',
    kind: 'text',
    standard: null,
    about:
      'Where the banks, wallets and 3-D Secure servers of the test environment are, if not in the same process. ' +
      'Test environment only.',
  },
  tlsCert: {
    name: 'TOLLGATE_TLS_CERT',
    kind: 'text',
    standard: null,
    about: 'File with a certificate and its chain, PEM: both listeners speak TLS with it. Read again when it changes.',
  },
  tlsKey: {
    name: 'TOLLGATE_TLS_KEY',
    kind: 'text',
    standard: null,
    about: 'File with the key of the certificate, PEM without a passphrase, closed to other users of the machine.',
  },
  trustedProxy: {
    name: 'TOLLGATE_TRUSTED_PROXY',
    kind: 'text',
    standard: null,
    about:
      'Addresses or networks (`10.1.0.0/16`), parted by commas, of proxies that end TLS before the listeners: their ' +
      '`X-Forwarded-For` and `X-Forwarded-Proto` are believed.',
  },
  sandbox: {
    name: 'TOLLGATE_SANDBOX',
    kind: 'switch',
    standard: null,
    about: 'The sandbox merchant with its published credentials: on in test while HOST is a loopback address.',
  },
  drainDelay: {
    name: 'TOLLGATE_DRAIN_DELAY_SECONDS',
    kind: 'seconds',
    standard: '0',
    about: 'How long a process that is to stop still takes work while `/readyz` says 503, for a balancer to notice.',
  },
  logLevel: {
    name: 'TOLLGATE_LOG',
    kind: 'level',
    standard: 'info',
    about: '`debug`, `info`, `warn`, `error` or `silent`.',
  },
  seed: {
    name: 'TOLLGATE_SEED',
    kind: 'text',
    standard: null,
    about: 'Fixes ids, so that a run can be repeated. Test environment only.',
  },
} as const satisfies Record<string, Setting>

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Where a certificate and its key are. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
}

export interface Config {
  readonly port: number
  readonly host: string
  readonly managePort: number
  /** undefined: no sample shop. */
  readonly shopPort: number | undefined
  /** undefined: no simulators of banks and issuers. */
  readonly simulatorPort: number | undefined
  readonly environment: 'test' | 'live'
  readonly data: string
  /** undefined: SQLite. It may hold a password. */
  readonly databaseUrl: string | undefined
  readonly keys: string | undefined
  readonly manageKey: string
  readonly publicUrl: string
  /** Without a slash at its end; undefined: nobody is there to send shoppers to. */
  readonly simulatorUrl: string | undefined
  /** undefined: the listeners speak plain HTTP. */
  readonly tls: TlsFiles | undefined
  /** Whose word is taken on where a request comes from; undefined: nobody's. */
  readonly trustedProxies: BlockList | undefined
  readonly sandbox: boolean
  readonly drainDelayMs: number
  readonly logLevel: LogLevel
  readonly seed: string | undefined
}

/** A start that cannot go on: one line that says which setting is wrong and what would be right. */
export class ConfigError extends Error {
  readonly mendable = true
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/
const SANDBOX_MANAGE_KEY = 'manage-sandbox'

/**
 * Reads the settings from the environment.
 *
 * @param env usually process.env; a variable TOLLGATE_… that no setting bears is an error, because it is a misspelt one
 * @throws ConfigError naming the variable; never with a secret's value
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  refuseUnknown(env)
  const port = portOf(env, settings.port) ?? 8080
  const host = textOf(env, settings.host) ?? '127.0.0.1'
  const managePort = portOf(env, settings.managePort) ?? portAfter(port)
  const environment = choiceOf(env, settings.environment, ['test', 'live'] as const) ?? 'test'
  const loopback = LOOPBACK.test(host)
  const sandbox = choiceOf(env, settings.sandbox, ['on', 'off'] as const) ?? (loopback ? 'on' : 'off')
  const seed = textOf(env, settings.seed)
  const keys = textOf(env, settings.keys)
  const databaseUrl = databaseUrlOf(env, settings.databaseUrl)
  const publicUrl = urlOf(env, settings.publicUrl)
  const simulatorUrl = urlOf(env, settings.simulatorUrl)
  const tls = tlsOf(env)
  const trustedProxies = networksOf(env, settings.trustedProxy)
  if (databaseUrl !== undefined && seed !== undefined) {
    throw wrong(
      settings.seed,
      `must not be set beside ${settings.databaseUrl.name}: two processes would draw the same ids`,
    )
  }
  if (environment === 'live') {
    if (env[settings.sandbox.name] === 'on') throw wrong(settings.sandbox, 'must be off in the live environment')
    if (seed !== undefined) throw wrong(settings.seed, 'must not be set in the live environment')
    if (simulatorUrl !== undefined) throw wrong(settings.simulatorUrl, 'must not be set in the live environment')
    if (keys === undefined)
      throw wrong(settings.keys, 'must name a key file, or a command that prints the keys, in the live environment')
    if (!tls && !trustedProxies) {
      throw wrong(
        settings.tlsCert,
        `must be set in the live environment, or ${settings.trustedProxy.name} name the proxy that ends TLS`,
      )
    }
    if (publicUrl?.startsWith('http:') === true)
      throw wrong(settings.publicUrl, 'must be an https address in the live environment')
  }
  const sandboxed = environment === 'test' && sandbox === 'on'
  const beside = (after: number) => (sandboxed ? portBeside(port, after) : undefined)
  const shopPort = servicePortOf(env, settings.shopPort, beside(2))
  const simulatorPort = servicePortOf(env, settings.simulatorPort, beside(3))
  if (shopPort !== undefined && !sandboxed)
    throw wrong(settings.shopPort, 'must not be set without the sandbox merchant')
  if (simulatorPort !== undefined && environment === 'live')
    throw wrong(settings.simulatorPort, 'must not be set in the live environment')
  return {
    port,
    host,
    managePort,
    shopPort,
    simulatorPort,
    environment,
    data: textOf(env, settings.data) ?? './data',
    databaseUrl,
    keys,
    manageKey: manageKeyOf(env, sandboxed, environment),
    publicUrl: publicUrl ?? `${tls || environment === 'live' ? 'https' : 'http'}://${bracketed(host)}:${port}`,
    simulatorUrl,
    tls,
    trustedProxies,
    sandbox: sandboxed,
    drainDelayMs: 1000 * (secondsOf(env, settings.drainDelay, limits.drainDelaySecondsMax) ?? 0),
    logLevel: choiceOf(env, settings.logLevel, ['debug', 'info', 'warn', 'error', 'silent'] as const) ?? 'info',
    seed,
  }
}

function manageKeyOf(
  env: Readonly<Record<string, string | undefined>>,
  sandboxed: boolean,
  environment: string,
): string {
  const key = textOf(env, settings.manageKey)
  if (key === undefined) {
    if (sandboxed) return SANDBOX_MANAGE_KEY
    // Outside the sandbox and without a key nobody can call the management API: a key that is drawn and not told.
    if (environment === 'test') return randomBytes(32).toString('hex')
    throw wrong(settings.manageKey, 'must be set in the live environment')
  }
  if (key.length < limits.manageKeyCharsMin) {
    throw wrong(settings.manageKey, `must have at least ${limits.manageKeyCharsMin} characters`)
  }
  if (key === SANDBOX_MANAGE_KEY && !sandboxed) throw wrong(settings.manageKey, 'must not be the published sandbox key')
  return key
}

function refuseUnknown(env: Readonly<Record<string, string | undefined>>): void {
  const known = new Set<string>(Object.values(settings).map((setting) => setting.name))
  for (const name of Object.keys(env)) {
    if (name.startsWith('TOLLGATE_') && !name.startsWith('TOLLGATE_TEST_') && !known.has(name)) {
      throw new ConfigError(`${name} is not a setting of Tollgate; known are ${[...known].join(', ')}`)
    }
  }
}

function textOf(env: Readonly<Record<string, string | undefined>>, setting: Setting): string | undefined {
  const text = env[setting.name]
  return text === '' ? undefined : text
}

function portOf(env: Readonly<Record<string, string | undefined>>, setting: Setting, orElse = ''): number | undefined {
  const text = textOf(env, setting)
  if (text === undefined) return undefined
  if (!/^\d{1,5}$/.test(text) || Number(text) > limits.portMax)
    throw wrong(setting, `must be a port number from 0 to ${limits.portMax}${orElse}`)
  return Number(text)
}

function secondsOf(
  env: Readonly<Record<string, string | undefined>>,
  setting: Setting,
  max: number,
): number | undefined {
  const text = textOf(env, setting)
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text) || Number(text) > max) throw wrong(setting, `must be whole seconds from 0 to ${max}`)
  return Number(text)
}

/** 0 lets the system choose, so that the port beside it is the system's to choose, too. */
function portAfter(port: number): number {
  if (port === limits.portMax) throw wrong(settings.managePort, `must be set where PORT is ${limits.portMax}`)
  return port === 0 ? 0 : port + 1
}

/** The port of a service that can be left out; undefined: it is. */
function servicePortOf(
  env: Readonly<Record<string, string | undefined>>,
  setting: Setting,
  standard: number | undefined,
): number | undefined {
  return textOf(env, setting) === 'off' ? undefined : (portOf(env, setting, ', or off') ?? standard)
}

/** 0 lets the system choose; beyond the last port there is none, and nobody misses what goes there. */
function portBeside(port: number, after: number): number | undefined {
  if (port === 0) return 0
  return port + after > limits.portMax ? undefined : port + after
}

/** As an address is written in a URL. */
export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** Both or none. */
function tlsOf(env: Readonly<Record<string, string | undefined>>): TlsFiles | undefined {
  const [cert, key] = [textOf(env, settings.tlsCert), textOf(env, settings.tlsKey)]
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined) throw wrong(settings.tlsCert, `must be set where ${settings.tlsKey.name} is`)
  if (key === undefined) throw wrong(settings.tlsKey, `must be set where ${settings.tlsCert.name} is`)
  return { cert, key }
}

/** A network of all addresses would have everyone believed, and none is one. */
function networksOf(env: Readonly<Record<string, string | undefined>>, setting: Setting): BlockList | undefined {
  const networks = textOf(env, setting)?.split(',')
  if (!networks) return undefined
  const list = new BlockList()
  for (const network of networks) {
    const [, address = '', bits] = /^\s*([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?\s*$/.exec(network) ?? []
    const family = isIP(address)
    const most = family === 4 ? 32 : 128
    const length = bits === undefined ? most : Number(bits)
    if (family === 0 || length < 1 || length > most || networks.length > limits.trustedProxiesMax) {
      throw wrong(
        setting,
        `must be at most ${limits.trustedProxiesMax} addresses or networks with commas, as 10.1.0.5,10.2.0.0/16`,
      )
    }
    list.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

/** An address to which paths are added, so without a slash at its end. */
function urlOf(env: Readonly<Record<string, string | undefined>>, setting: Setting): string | undefined {
  const text = textOf(env, setting)
  if (text === undefined) return undefined
  if (!/^https?:\/\//.test(text) || !parseUrl(text)) throw wrong(setting, 'must be an http or https address')
  return text.replace(/\/$/, '')
}

/** Never repeated: it holds a password. */
function databaseUrlOf(env: Readonly<Record<string, string | undefined>>, setting: Setting): string | undefined {
  const text = textOf(env, setting)
  if (text === undefined) return undefined
  const protocol = parseUrl(text)?.protocol
  if (protocol !== 'postgres:' && protocol !== 'postgresql:') {
    throw wrong(setting, 'must be an address of the form postgres://user:password@host:port/database')
  }
  return text
}

function choiceOf<T extends string>(
  env: Readonly<Record<string, string | undefined>>,
  setting: Setting,
  choices: readonly T[],
): T | undefined {
  const text = textOf(env, setting)
  if (text === undefined) return undefined
  const choice = choices.find((candidate) => candidate === text)
  if (choice === undefined) throw wrong(setting, `must be one of ${choices.join(', ')}`)
  return choice
}

function wrong(setting: Setting, what: string): ConfigError {
  return new ConfigError(`${setting.name} ${what}`)
}
