import type { CurrencyCode } from '@tollgate/contract'
import { limits } from '../limits.ts'
import type { CountCondition, RiskCondition, RiskRule, RiskRules, RiskVerdict, SumCondition } from './rules.ts'
import type { Countries, CountedTrait, Trait } from './traits.ts'

/** The facts of an earlier payment that rules count. */
export interface EarlierPayment {
  /** In minor units: the approved amount; the requested amount of an undecided payment; 0 for a refused payment. */
  readonly amountMinor: number
  readonly currency: CurrencyCode
  readonly atMs: number
}

/** The input of the rules. */
export interface RiskFacts {
  /** Minor units of `currency`. */
  readonly amountMinor: number
  readonly currency: CurrencyCode
  readonly traits: ReadonlyMap<Trait, readonly string[]>
  readonly countries: Countries
  /** Earlier payments of the merchant that share a trait, at least for the longest period of the rules. */
  readonly earlier: ReadonlyMap<CountedTrait, readonly EarlierPayment[]>
  readonly orderedAtMs: number
  readonly atMs: number
}

/** The result of a risk check. */
export interface RiskAssessment {
  /** −99,999 to +99,999; the higher, the riskier. */
  readonly score: number
  readonly verdict: RiskVerdict
  /** Names of the matching rules. */
  readonly hits: readonly string[]
}

/**
 * Assesses a payment. The score is the sum of the points of the matching rules, limited to its bounds. If matching
 * rules have verdicts, reject precedes accept, and accept precedes review; otherwise the score and the thresholds
 * determine the verdict.
 */
export function assessRisk(rules: RiskRules, facts: RiskFacts): RiskAssessment {
  const hits = rules.rules.filter(({ when }) => isMet(when, facts))
  const sum = hits.reduce((total, { effect }) => total + (typeof effect === 'number' ? effect : 0), 0)
  const score = Math.max(-limits.riskScoreMax, Math.min(limits.riskScoreMax, sum))
  return { score, verdict: verdictOf(rules, hits, score), hits: hits.map(({ name }) => name) }
}

/** Verdicts of rules in the order of precedence. */
const precedence: readonly RiskVerdict[] = ['reject', 'accept', 'review']

function verdictOf({ reviewFrom, rejectFrom }: RiskRules, hits: readonly RiskRule[], score: number): RiskVerdict {
  const decisive = precedence.find((verdict) => hits.some(({ effect }) => effect === verdict))
  if (decisive) return decisive
  if (rejectFrom !== undefined && score >= rejectFrom) return 'reject'
  return reviewFrom !== undefined && score >= reviewFrom ? 'review' : 'accept'
}

/** Whether a payment meets a condition. A condition on an absent trait is not met. */
function isMet(when: RiskCondition, facts: RiskFacts): boolean {
  switch (when.kind) {
    case 'amount':
      return facts.currency === when.currency && facts.amountMinor > when.aboveMinor
    case 'count':
      return facts.traits.has(when.by) && earlierOf(when, facts).length + 1 > when.above
    case 'sum':
      return facts.traits.has(when.by) && facts.currency === when.currency && sumOf(when, facts) > when.aboveMinor
    case 'countries':
      return (
        new Set(when.of.map((source) => facts.countries[source]).filter((country) => country !== undefined)).size > 1
      )
    case 'list':
      return facts.traits.get(when.by)?.some((value) => when.values.has(value)) ?? false
    case 'orderAge':
      return facts.atMs - facts.orderedAtMs > when.aboveMs
  }
}

const earlierOf = (
  { by, withinMs }: CountCondition | SumCondition,
  { earlier, atMs }: RiskFacts,
): readonly EarlierPayment[] => earlier.get(by)?.filter((payment) => payment.atMs > atMs - withinMs) ?? []

const sumOf = (when: SumCondition, facts: RiskFacts): number =>
  earlierOf(when, facts)
    .filter(({ currency }) => currency === when.currency)
    .reduce((total, { amountMinor }) => total + amountMinor, facts.amountMinor)
