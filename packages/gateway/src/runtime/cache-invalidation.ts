import type { Storage, WatchedTable } from '@tollgate/storage'
import type { MovableClock } from './clock/movable-clock.ts'
import { errorFields, type Log } from '@tollgate/operations'
import { storedClockOffset } from './clock/stored-clock.ts'

interface Reloadable {
  reload(): Promise<void>
}

interface Parts {
  readonly storage: Storage
  readonly clock: MovableClock
  readonly log: Log
  readonly directory: Reloadable
  readonly webhooks: Reloadable
  readonly connectorCache: Reloadable
  readonly keys: Reloadable
  readonly rateCounters: { count(message: string): void }
}

/** An in-memory cache of tables that peers also write, and how to reload it. */
type Cache = readonly [tables: readonly WatchedTable[], reload: (parts: Parts) => Promise<void>]

const caches: readonly Cache[] = [
  [['entity', 'risk_rules', 'route_list', 'access_token'], ({ directory }) => directory.reload()],
  [['connector'], ({ connectorCache }) => connectorCache.reload()],
  [['webhook', 'webhook_key'], ({ webhooks }) => webhooks.reload()],
  [['installation'], reloadInstallation],
]

/**
 * Starts to listen to peers: reloads an in-memory cache whenever a peer has changed one of its tables, and passes
 * messages of peers to the rate counters.
 */
export function reloadCachesOnChange(parts: Parts): void {
  const onChanges = async (changedTables: ReadonlySet<WatchedTable>) => {
    try {
      for (const [tables, reload] of caches) if (tables.some((table) => changedTables.has(table))) await reload(parts)
    } catch (error) {
      // A reload fails, for example, if the keys cannot be read from their source. The cache keeps its previous state,
      // and the rethrown error causes another report of the same changes.
      parts.log.error({ worker: 'reload caches', ...errorFields(error) })
      throw error
    }
  }
  parts.storage.peers?.listen({ onChanges, onMessage: (message) => parts.rateCounters.count(message) })
}

/** Reloads the test clock and the keys after any change of the table `installation`, which contains values of both. */
async function reloadInstallation({ storage, clock, keys }: Parts): Promise<void> {
  const offset = await storedClockOffset(storage)
  if (offset !== undefined) clock.moveTo(clock.now() + offset - clock.offsetMs())
  await keys.reload()
}
