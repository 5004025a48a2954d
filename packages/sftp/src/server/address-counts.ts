import type { ServerLimits } from '../limits.ts'
import type { Timers } from '../timers.ts'

/** Creates counts by key; a count of zero is removed. */
export function createCounts() {
  const counts = new Map<string, number>()
  const of = (key: string): number => counts.get(key) ?? 0
  return {
    of,
    add(key: string, difference: number): void {
      const count = of(key) + difference
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    },
  }
}

/** Creates counts of the connections that end without authentication, by address, in fixed windows. */
export function createFailures(limits: ServerLimits, { nowMs }: Timers) {
  const windows = new Map<string, { readonly endsAtMs: number; failures: number }>()
  const windowOf = (address: string) => {
    const window = windows.get(address)
    return window && window.endsAtMs > nowMs() ? window : undefined
  }
  return {
    areTooMany: (address: string): boolean => (windowOf(address)?.failures ?? 0) >= limits.failuresPerAddressMax,
    add(address: string): void {
      const window = windowOf(address)
      if (window) {
        window.failures += 1
        return
      }
      windows.delete(address)
      for (const oldest of windows.keys()) {
        if (windows.size < limits.failingAddressesMax) break
        windows.delete(oldest)
      }
      windows.set(address, { endsAtMs: nowMs() + limits.failuresWindowMs, failures: 1 })
    },
  }
}
