import type { ConnectorCost, RouteMethod } from '@tollgate/domain'
import {
  type ConnectorAccount,
  type ConnectorCache,
  createKeyedMutex,
  errorFields,
  openCredentials,
} from '@tollgate/operations'
import type { ConnectorRow } from '@tollgate/storage'
import type { Vault } from '@tollgate/vault'
import { limits } from '../../limits.ts'
import type { Rules } from '../target.ts'
import { type ConnectorParts, ConnectorSettingsError } from './connector-kind.ts'
import { connectorKinds } from './kinds.ts'
import { type WatchedConnector, withBreaker } from './with-breaker.ts'

/** The connectors that operators have set up, with their connections. */
export interface RunningConnectors {
  /** @returns undefined: no connector has the name, it was deleted, or it cannot be started */
  find(name: string): ConnectorAccount | undefined
  /** The names of the started connectors. */
  names(): Iterable<string>
  /** Opens the connections. Before that, nothing can be sent. */
  open(): void
  /** Ends the connections, once no request waits for an answer. */
  close(): Promise<void>
}

interface Options extends ConnectorParts {
  readonly cache: ConnectorCache
  readonly vault: Vault
  readonly rules: Rules
}

/** A connector that was started, with the row from which it was started, or a later row with the same connections. */
interface Started extends WatchedConnector {
  readonly methods: ReadonlySet<RouteMethod>
  readonly costs: readonly ConnectorCost[]
  row: ConnectorRow
}

/**
 * Starts the connectors of the cache, and follows its changes: a connector whose settings or credentials have changed
 * is replaced once its successor is ready, and closed when its last request has been answered.
 */
export function createRunningConnectors({ cache, vault, rules, ...parts }: Options): RunningConnectors {
  const { log, clock, eventLoop } = parts
  const started = new Map<string, Started>()
  /** Changes of connectors that are in progress. */
  const changes = new Set<Promise<void>>()
  /** Connectors whose last requests wait for their answers. */
  const closing = new Set<Promise<void>>()
  const withLock = createKeyedMutex()
  const closed = new AbortController()
  let isOpen = false

  function start(row: ConnectorRow): Started | undefined {
    try {
      const kind = connectorKinds.get(row.kind)
      if (!kind) throw new ConnectorSettingsError(`this version has no connectors of the kind ${row.kind}`)
      const prepared = kind.prepare(JSON.parse(row.settings), rules)
      const connector = prepared.create(row.id, openCredentials(vault, row), parts)
      if (isOpen) connector.open?.()
      return { ...withBreaker(connector, clock), row, methods: kind.methods, costs: prepared.costs }
    } catch (error) {
      log.error({ connector: row.id, event: 'not started', ...reasonOf(error) })
      return undefined
    }
  }

  /** Closes a connector, after a time in which payments that have selected it may still be sent. */
  function end(name: string, { connector }: Started, handoverMs = 0): void {
    const handover = handoverMs === 0 ? Promise.resolve() : eventLoop.wait(handoverMs, closed.signal)
    const ending = handover
      .then(() => connector.close?.())
      .catch((error: unknown) => log.error({ connector: name, event: 'not closed', ...errorFields(error) }))
      .finally(() => closing.delete(ending))
    closing.add(ending)
  }

  /** Brings a connector up to date with its row. */
  async function follow(name: string): Promise<void> {
    const row = cache.all().find(({ id }) => id === name)
    const old = started.get(name)
    if (closed.signal.aborted || (row && old?.row === row)) return
    if (row && old && hasSameConnections(old.row, row)) {
      old.row = row
      return
    }
    const next = row && start(row)
    if (next && old && isOpen) await untilReady(next)
    if (next) started.set(name, next)
    else started.delete(name)
    // A payment whose first commit is in progress has already selected the old connector.
    if (old) end(name, old, next && limits.connectorHandoverMs)
  }

  async function untilReady({ connector }: Started): Promise<void> {
    for (let waitedMs = 0; waitedMs < limits.connectorReadyMsMax; waitedMs += limits.connectorReadyPollMs) {
      if (connector.isReady?.() !== false || closed.signal.aborted) return
      await eventLoop.wait(limits.connectorReadyPollMs, closed.signal)
    }
  }

  const followAll = () => {
    for (const name of new Set([...started.keys(), ...cache.all().map(({ id }) => id)])) {
      const change = withLock(name, () => follow(name)).finally(() => changes.delete(change))
      changes.add(change)
    }
  }
  followAll()
  cache.onChange(followAll)

  return {
    find(name) {
      const found = started.get(name)
      return found && accountOf(found)
    },
    names: () => started.keys(),
    open() {
      isOpen = true
      for (const { connector } of started.values()) connector.open?.()
    },
    async close() {
      closed.abort()
      await Promise.all(changes)
      for (const [name, running] of started) end(name, running)
      started.clear()
      await Promise.all(closing)
    },
  }
}

const accountOf = (started: Started): ConnectorAccount => ({
  connector: started.connector,
  methods: started.methods,
  costs: started.costs,
  enabled: started.row.state === 'enabled',
  isHealthy: started.isHealthy(),
})

/** Whether a change of a row leaves the connections as they are, as a rotation of the vault's keys does. */
const hasSameConnections = (one: ConnectorRow, other: ConnectorRow): boolean =>
  one.kind === other.kind && one.settings === other.settings && isSame(one.sealed, other.sealed)

const isSame = (one: Uint8Array | null, other: Uint8Array | null): boolean =>
  one === null || other === null ? one === other : Buffer.compare(one, other) === 0

const reasonOf = (error: unknown) =>
  error instanceof ConnectorSettingsError ? { error: error.message } : errorFields(error)
