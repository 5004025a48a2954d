import type { RiskRule } from './rules.ts'
import type { CountedTrait } from './traits.ts'

/** Data that the rules need besides the request. */
export interface RiskNeeds {
  /** Whether a rule uses the fingerprint of the account. */
  readonly fingerprint: boolean
  /** The longest period in which rules count earlier payments with the same trait. */
  readonly windowsMs: ReadonlyMap<CountedTrait, number>
}

/**
 * The data that these rules need. It is computed once, when the rules are set, so that payments load only data that
 * their rules use.
 */
export function needsOf(rules: readonly RiskRule[]): RiskNeeds {
  const windowsMs = new Map<CountedTrait, number>()
  for (const { when } of rules) {
    if (when.kind !== 'count' && when.kind !== 'sum') continue
    windowsMs.set(when.by, Math.max(when.withinMs, windowsMs.get(when.by) ?? 0))
  }
  return { fingerprint: rules.some(({ when }) => 'by' in when && when.by === 'fingerprint'), windowsMs }
}
