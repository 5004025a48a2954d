import type { Storage, WatchedTable } from '@tollgate/storage'
import type { MovableClock } from './clock/movable-clock.ts'
import { errorFields, type Log } from '@tollgate/operations'
import { storedLead } from './clock/stored-clock.ts'

/** A cache that can be refreshed. */
interface Reloadable {
  reload(): Promise<void>
}

interface Parts {
  readonly storage: Storage
  readonly clock: MovableClock
  readonly log: Log
  readonly directory: Reloadable
  readonly webhooks: Reloadable
  readonly keys: Reloadable
  readonly rateCounters: { count(message: string): void }
}

/** An in-memory cache of tables that peers also write, and how to reload it. */
type Held = readonly [tables: readonly WatchedTable[], read: (parts: Parts) => Promise<void>]

const held: readonly Held[] = [
  [['entity', 'risk_rules', 'access_token'], ({ directory }) => directory.reload()],
  [['webhook', 'webhook_key'], ({ webhooks }) => webhooks.reload()],
  [['installation'], followInstallation],
]

/** Reloads in-memory caches when a peer has changed their tables. */
export function followChanges(parts: Parts): void {
  const changed = async (these: ReadonlySet<WatchedTable>) => {
    try {
      for (const [tables, read] of held) if (tables.some((table) => these.has(table))) await read(parts)
    } catch (error) {
      // Such as keys that this process cannot find: the previous state stays in use, and operators see the line.
      parts.log.error({ worker: 'follow changes', ...errorFields(error) })
      throw error
    }
  }
  parts.storage.peers?.listen({ changed, onMessage: (message) => parts.rateCounters.count(message) })
}

/** A peer has moved the test clock forward or rotated the keys. */
async function followInstallation({ storage, clock, keys }: Parts): Promise<void> {
  const lead = await storedLead(storage)
  if (lead !== undefined) clock.moveTo(clock.now() + lead - clock.ahead())
  await keys.reload()
}
