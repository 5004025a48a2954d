import type { RiskRule } from './rules.ts'
import type { CountedTrait } from './traits.ts'

/** What must be found out for rules to judge, beside what the request itself says. */
export interface RiskNeeds {
  /** Whether any rule asks for the fingerprint of the account. */
  readonly fingerprint: boolean
  /** How far back earlier payments that share a trait must be known. */
  readonly windowsMs: ReadonlyMap<CountedTrait, number>
}

/** What the rules need. It is asked once, when they are set, so that a payment costs only what its rules look at. */
export function needsOf(rules: readonly RiskRule[]): RiskNeeds {
  const windowsMs = new Map<CountedTrait, number>()
  for (const { when } of rules) {
    if (when.kind !== 'count' && when.kind !== 'sum') continue
    windowsMs.set(when.by, Math.max(when.withinMs, windowsMs.get(when.by) ?? 0))
  }
  return { fingerprint: rules.some(({ when }) => 'by' in when && when.by === 'fingerprint'), windowsMs }
}
