import { Socket } from 'node:net'
import { Client, type ClientConfig, type CustomTypesConfig, type Notification as PgNotification, Pool } from 'pg'
import { limits } from '../limits.ts'
import type { SqlValue } from '../sql-value.ts'
import { StorageError } from '../storage-error.ts'

/** A connection, which executes one statement after the other. */
export interface Connection {
  /**
   * Executes a statement and returns its rows. With a `name` the server parses the statement once per connection.
   * @throws DatabaseError of the server, or any other error if the connection is lost; the connection is then closed
   */
  readonly query: <Row extends object>(text: string, values?: readonly SqlValue[], name?: string) => Promise<Row[]>
  readonly isLost: () => boolean
  /** Resolves when the connection is lost or closed. */
  readonly lost: Promise<void>
  readonly close: () => Promise<void>
}

/** The purpose of a connection, which determines its settings. */
export type Purpose = keyof typeof settings

const common = ['SET jit = off', "SET default_transaction_isolation = 'read committed'", "SET bytea_output = 'hex'"]
/** A statement is planned each time: a plan made for small tables would scan whole tables when they are large. */
const alwaysPlanned = 'SET plan_cache_mode = force_custom_plan'
/** A statement is planned once per connection. With `auto` the server plans some reads for each execution. */
const plannedOnce = 'SET plan_cache_mode = force_generic_plan'
/** Without joins that scan whole tables, each statement looks up its rows by their keys, however old its plan is. */
const byIndex = ['SET enable_hashjoin = off', 'SET enable_mergejoin = off']
const bounded = [
  `SET statement_timeout = ${limits.statementTimeoutMs}`,
  `SET lock_timeout = ${limits.lockTimeoutMs}`,
  // Every query with parameters has an index. With this setting the planner uses the index even if the statistics of
  // the table are missing or old.
  'SET enable_seqscan = off',
]

const settings = {
  /** The connection waits without limit for another process that migrates. */
  migrate: [...common, alwaysPlanned, 'SET statement_timeout = 0', 'SET lock_timeout = 0'],
  listen: [...common, ...bounded, alwaysPlanned],
  /**
   * The server plans a read once per connection, because planning takes longer than most reads. A read of one root
   * skips the other partitions when it begins. Commits need not be durable: the only rows written are leases of jobs,
   * whose loss in a crash does no harm.
   */
  read: [...common, ...bounded, ...byIndex, plannedOnce, 'SET synchronous_commit = off'],
  commit: [...common, ...bounded, ...byIndex, alwaysPlanned, 'SET synchronous_commit = on'],
}

const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === 't',
  17: bytesOf,
  20: Number,
  23: Number,
}
const types: CustomTypesConfig = { getTypeParser: (type: number) => parsers[type] ?? ((text: string) => text) }

/** The bytes of a hex text, in memory of their own, which callers may wipe. */
function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array((text.length - 2) / 2)
  Buffer.from(bytes.buffer).write(text.slice(2), 'hex')
  return bytes
}

/** Gives `sslmode` the meaning of PostgreSQL's documentation, from which the driver differs by default. */
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

/** A message on a channel. */
export type Notification = Pick<PgNotification, 'channel' | 'payload'>

/**
 * Opens a connection. None of its errors ends the process.
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
      // The end of the connection is not acknowledged if the network is lost.
      const timer = setTimeout(lose, limits.connectTimeoutMs)
      await client.end().catch(lose)
      clearTimeout(timer)
      isLost = true
    },
  }
}

/** Connections for reads, opened on demand; a lost connection is replaced. */
export function openPool(url: string): Pool {
  const pool = new Pool({
    ...configOf(url, 'read'),
    max: limits.postgresReaders,
    query_timeout: limits.answerTimeoutMs,
    // The pool awaits the result, which its types omit.
    onConnect: (client): unknown => client.query(settings.read.join('; ')),
  })
  // Without a listener the error of a lost idle connection would end the process. The pool removes the connection.
  pool.on('error', () => {})
  return pool
}

/** The oldest supported version, in the form of `server_version_num`. */
const oldestVersion = 150_000

/** @throws StorageError `incompatible`, or `unavailable` if the server is read-only */
export async function checkServer({ query }: Connection): Promise<void> {
  const [server] = await query<{ version: number; encoding: string; isReadOnly: boolean }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
      current_setting('transaction_read_only')::bool AS "isReadOnly"`,
  )
  if (!server || server.version < oldestVersion) {
    const major = Math.floor((server?.version ?? 0) / 10_000)
    throw new StorageError('incompatible', `the server is PostgreSQL ${major}; 15 or later is required`)
  }
  if (server.encoding !== 'UTF8') {
    throw new StorageError('incompatible', `the database has the encoding ${server.encoding}; it must be UTF8`)
  }
  if (server.isReadOnly)
    throw new StorageError('unavailable', 'the server is read-only: name the primary, not a standby')
}
