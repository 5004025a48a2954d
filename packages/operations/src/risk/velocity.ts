import type { Storage, VelocityRow } from '@tollgate/storage'
import { limits } from '../limits.ts'
import type { Velocity } from '../ports/velocity.ts'

/**
 * Creates the velocity counters of risk rules: of payments, of payouts and of standalone checks.
 *
 * @param storage contains the committed entries
 */
export function createVelocity(storage: Storage): Velocity {
  /** The latest entries, committed or not, in the order of their arrival. */
  const latest: VelocityRow[] = []
  /** The same entries by counter. */
  const latestByCounter = new Map<string, VelocityRow[]>()

  function remember(entry: VelocityRow): void {
    latest.push(entry)
    latestByCounter.set(keyOf(entry), [...(latestByCounter.get(keyOf(entry)) ?? []), entry])
    const oldest = latest.length > limits.velocityInFlightMax ? latest.shift() : undefined
    if (oldest) dropFromCounter(oldest)
  }

  function dropFromCounter(entry: VelocityRow): void {
    const remaining = (latestByCounter.get(keyOf(entry)) ?? []).filter((other) => other !== entry)
    if (remaining.length > 0) latestByCounter.set(keyOf(entry), remaining)
    else latestByCounter.delete(keyOf(entry))
  }

  return {
    async add(entry, sinceMs) {
      const before = latestByCounter.get(keyOf(entry)) ?? []
      remember(entry)
      const stored = await storage.velocity(entry.counter, entry.merchant, sinceMs)
      // A later entry counts this entry, so this entry must not count the later one, even if that is already committed.
      const current = latestByCounter.get(keyOf(entry)) ?? []
      const laterIds = idsOf(current.slice(current.indexOf(entry) + 1))
      const storedIds = idsOf(stored)
      return [
        ...stored.filter(({ id }) => !laterIds.has(id)),
        ...before.filter(({ id, created_at_ms: atMs }) => atMs >= sinceMs && !storedIds.has(id)),
      ]
    },
    remove(entries) {
      for (const entry of entries) {
        const index = latest.indexOf(entry)
        if (index >= 0) latest.splice(index, 1)
        dropFromCounter(entry)
      }
    },
  }
}

const idsOf = (rows: readonly VelocityRow[]): ReadonlySet<string> => new Set(rows.map(({ id }) => id))

const keyOf = ({ merchant, counter }: VelocityRow): string => `${merchant}|${counter}`
