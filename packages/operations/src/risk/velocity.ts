import type { Storage, VelocityRow } from '@tollgate/storage'
import { limits } from '../limits.ts'
import type { Velocity } from '../ports/velocity.ts'

/**
 * Counts payments for risk rules.
 *
 * @param storage contains the committed entries
 */
export function createVelocity(storage: Storage): Velocity {
  /** The latest entries in the order of their arrival, committed or not; and the same entries by counter. */
  const latest: VelocityRow[] = []
  const latestOf = new Map<string, VelocityRow[]>()

  function remember(entry: VelocityRow): void {
    latest.push(entry)
    latestOf.set(keyOf(entry), [...(latestOf.get(keyOf(entry)) ?? []), entry])
    const oldest = latest.length > limits.velocityInFlightMax ? latest.shift() : undefined
    if (oldest) dropFromCounter(oldest)
  }

  function dropFromCounter(entry: VelocityRow): void {
    const left = (latestOf.get(keyOf(entry)) ?? []).filter((other) => other !== entry)
    if (left.length > 0) latestOf.set(keyOf(entry), left)
    else latestOf.delete(keyOf(entry))
  }

  return {
    async add(entry, sinceMs) {
      const before = latestOf.get(keyOf(entry)) ?? []
      remember(entry)
      const stored = await storage.velocity(entry.counter, entry.merchant, sinceMs)
      // A later entry counts this one and not the reverse, even if the later one is committed already.
      const now = latestOf.get(keyOf(entry)) ?? []
      const later = idsOf(now.slice(now.indexOf(entry) + 1))
      const storedIds = idsOf(stored)
      return [
        ...stored.filter(({ id }) => !later.has(id)),
        ...before.filter(({ id, created_at_ms: atMs }) => atMs >= sinceMs && !storedIds.has(id)),
      ]
    },
    remove(entries) {
      for (const entry of entries) {
        const at = latest.indexOf(entry)
        if (at >= 0) latest.splice(at, 1)
        dropFromCounter(entry)
      }
    },
  }
}

const idsOf = (rows: readonly VelocityRow[]): ReadonlySet<string> => new Set(rows.map(({ id }) => id))

const keyOf = ({ merchant, counter }: VelocityRow): string => `${merchant}|${counter}`
