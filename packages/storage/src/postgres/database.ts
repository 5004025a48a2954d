import { Socket } from 'node:net'
// The one file that opens connections with the driver.
import { Client, type ClientConfig, type CustomTypesConfig, type Notification as PgNotification, Pool } from 'pg'
import { limits } from '../limits.ts'
import type { SqlValue } from '../sql-value.ts'
import { StorageError } from '../storage-error.ts'

/** A connection that works on one statement after the other. */
export interface Connection {
  /**
   * Rows of a statement, which the server keeps parsed under `name`, if it has one.
   * @throws DatabaseError of the server, or any other error when the connection is lost; it is then closed.
   */
  readonly query: <Row extends object>(text: string, values?: readonly SqlValue[], name?: string) => Promise<Row[]>
  readonly isLost: () => boolean
  /** Resolves when the connection is lost or closed. */
  readonly lost: Promise<void>
  readonly close: () => Promise<void>
}

/** For what a connection is used: its settings. */
export type Purpose = keyof typeof settings

const common = [
  // A plan that was made while tables were small, and kept, would scan them for ever.
  'SET plan_cache_mode = force_custom_plan',
  'SET jit = off',
  "SET default_transaction_isolation = 'read committed'",
  "SET bytea_output = 'hex'",
]
const bounded = [
  `SET statement_timeout = ${limits.statementTimeoutMs}`,
  `SET lock_timeout = ${limits.lockTimeoutMs}`,
  // Every query has its index, and uses it whatever the statistics of a table say, or have not heard of yet.
  'SET enable_seqscan = off',
]

const settings = {
  /** Waits as long as it takes, for another process that migrates too. */
  migrate: [...common, 'SET statement_timeout = 0', 'SET lock_timeout = 0'],
  listen: [...common, ...bounded],
  /** All that is written here is who holds a job, and a hold that is lost in a crash does no harm. */
  read: [...common, ...bounded, 'SET synchronous_commit = off'],
  /** Every row that a batch names is looked up by its key. */
  commit: [
    ...common,
    ...bounded,
    'SET synchronous_commit = on',
    'SET enable_hashjoin = off',
    'SET enable_mergejoin = off',
  ],
}

const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === 't',
  17: bytesOf,
  20: Number,
  23: Number,
}
const types: CustomTypesConfig = { getTypeParser: (type: number) => parsers[type] ?? ((text: string) => text) }

/** In memory of their own, which whoever reads them may wipe. */
function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array((text.length - 2) / 2)
  Buffer.from(bytes.buffer).write(text.slice(2), 'hex')
  return bytes
}

/** `sslmode` means what the documents of PostgreSQL say; without this the driver has meanings of its own. */
const withStandardTls = (url: string) => (/[?&]sslmode=/.test(url) ? `${url}&uselibpqcompat=true` : url)

function configOf(url: string, purpose: Purpose): ClientConfig {
  return {
    connectionString: withStandardTls(url),
    application_name: `tollgate ${purpose}`,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    keepAlive: true,
    types,
  }
}

/** What was said on a channel. */
export type Notification = Pick<PgNotification, 'channel' | 'payload'>

/**
 * Opens a connection. It ends the process by no error.
 * @param onNotification called for each message on a channel that the connection listens to
 */
export async function connect(
  url: string,
  purpose: Purpose,
  onNotification: (notification: Notification) => void = () => {},
): Promise<Connection> {
  const socket = new Socket()
  const client = new Client({ ...configOf(url, purpose), stream: () => socket })
  let isLost = false
  let onLost = () => {}
  const lost = new Promise<void>((resolve) => (onLost = resolve))
  const lose = () => {
    isLost = true
    socket.destroy()
    onLost()
  }
  client.on('error', lose)
  client.on('end', lose)
  client.on('notification', onNotification)

  async function query<Row extends object>(
    text: string,
    values: readonly SqlValue[] = [],
    name?: string,
  ): Promise<Row[]> {
    const timer = setTimeout(lose, purpose === 'migrate' ? 2 ** 31 - 1 : limits.answerTimeoutMs)
    try {
      const config = values.length > 0 ? { text, values: [...values] } : { text }
      const { rows } = await client.query<Row>(name === undefined ? config : { ...config, name })
      return rows
    } finally {
      clearTimeout(timer)
    }
  }

  try {
    await client.connect()
    await query(settings[purpose].join('; '))
  } catch (error) {
    lose()
    throw error
  }
  return {
    query,
    isLost: () => isLost,
    lost,
    close: async () => {
      if (isLost) return
      // A dead network does not say that it has heard the farewell.
      const timer = setTimeout(lose, limits.connectTimeoutMs)
      await client.end().catch(lose)
      clearTimeout(timer)
      isLost = true
    },
  }
}

/** Connections for reads, each opened when it is needed; a lost one is replaced. */
export function openPool(url: string): Pool {
  const pool = new Pool({
    ...configOf(url, 'read'),
    max: limits.postgresReaders,
    query_timeout: limits.answerTimeoutMs,
    // The pool waits for it, though its types do not say so.
    onConnect: (client): unknown => client.query(settings.read.join('; ')),
  })
  // An idle connection that is lost leaves the pool; nobody waits for it.
  pool.on('error', () => {})
  return pool
}

/** The oldest that this program was tested with, as `server_version_num` says it. */
const oldestVersion = 150_000

/** @throws StorageError `incompatible`, or `unavailable` where the server takes no writes */
export async function checkServer({ query }: Connection): Promise<void> {
  const [server] = await query<{ version: number; encoding: string; isReadOnly: boolean }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
      current_setting('transaction_read_only')::bool AS "isReadOnly"`,
  )
  if (!server || server.version < oldestVersion) {
    const major = Math.floor((server?.version ?? 0) / 10_000)
    throw new StorageError('incompatible', `the server is PostgreSQL ${major}, and 15 is the oldest that will do`)
  }
  if (server.encoding !== 'UTF8') {
    throw new StorageError('incompatible', `the database has the encoding ${server.encoding}; it must be UTF8`)
  }
  if (server.isReadOnly)
    throw new StorageError('unavailable', 'the server takes no writes from us: name the primary, not a standby')
}
