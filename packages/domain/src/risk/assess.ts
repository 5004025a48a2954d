import type { CurrencyCode } from '@tollgate/contract'
import { limits } from '../limits.ts'
import type { CountRule, RiskRule, RiskRules, RiskVerdict, SumRule } from './rules.ts'
import type { Countries, CountedTrait, Trait } from './traits.ts'

/** An earlier payment, as far as it counts. */
export interface EarlierPayment {
  /** What was approved, in minor units; 0 of a payment that was refused. */
  readonly amountMinor: number
  readonly currency: CurrencyCode
  readonly atMs: number
}

/** All that rules may look at. */
export interface RiskFacts {
  /** Minor units of `currency`. */
  readonly amountMinor: number
  readonly currency: CurrencyCode
  readonly traits: ReadonlyMap<Trait, readonly string[]>
  readonly countries: Countries
  /** Earlier payments of the merchant that share a trait, at least as far back as the rules look. */
  readonly earlier: ReadonlyMap<CountedTrait, readonly EarlierPayment[]>
  readonly orderedAtMs: number
  readonly atMs: number
}

/** What a check has found. */
export interface RiskAssessment {
  /** −99,999 to +99,999; the higher, the riskier. */
  readonly score: number
  readonly verdict: RiskVerdict
  /** Names of the rules that spoke. */
  readonly hits: readonly string[]
}

/**
 * Judges a payment. The score is the sum of what the rules that hit add, within its bounds. A rule that rejects settles
 * it; then one that accepts; then one that reviews; and where none of them has spoken, the score.
 */
export function assessRisk(set: RiskRules, facts: RiskFacts): RiskAssessment {
  const hits = set.rules.filter((rule) => isHit(rule, facts))
  const sum = hits.reduce((total, { effect }) => total + (typeof effect === 'number' ? effect : 0), 0)
  const score = Math.max(-limits.riskScoreMax, Math.min(limits.riskScoreMax, sum))
  return { score, verdict: verdictOf(set, hits, score), hits: hits.map(({ name }) => name) }
}

/** The verdicts of rules, in the order in which they settle it. */
const precedence: readonly RiskVerdict[] = ['reject', 'accept', 'review']

function verdictOf({ reviewFrom, rejectFrom }: RiskRules, hits: readonly RiskRule[], score: number): RiskVerdict {
  const spoken = precedence.find((verdict) => hits.some(({ effect }) => effect === verdict))
  if (spoken) return spoken
  if (rejectFrom !== undefined && score >= rejectFrom) return 'reject'
  return reviewFrom !== undefined && score >= reviewFrom ? 'review' : 'accept'
}

/** Whether the rule's condition holds. What a payment does not say of itself meets no condition. */
function isHit(rule: RiskRule, facts: RiskFacts): boolean {
  switch (rule.kind) {
    case 'amount':
      return facts.currency === rule.currency && facts.amountMinor > rule.aboveMinor
    case 'count':
      return facts.traits.has(rule.by) && earlierOf(rule, facts).length + 1 > rule.above
    case 'sum':
      return facts.traits.has(rule.by) && facts.currency === rule.currency && sumOf(rule, facts) > rule.aboveMinor
    case 'countries':
      return new Set(rule.of.map((source) => facts.countries[source]).filter((each) => each !== undefined)).size > 1
    case 'list':
      return facts.traits.get(rule.by)?.some((value) => rule.values.has(value)) ?? false
    case 'orderAge':
      return facts.atMs - facts.orderedAtMs > rule.aboveMs
  }
}

const earlierOf = ({ by, withinMs }: CountRule | SumRule, { earlier, atMs }: RiskFacts): readonly EarlierPayment[] =>
  earlier.get(by)?.filter((payment) => payment.atMs > atMs - withinMs) ?? []

const sumOf = (rule: SumRule, facts: RiskFacts): number =>
  earlierOf(rule, facts)
    .filter(({ currency }) => currency === rule.currency)
    .reduce((total, { amountMinor }) => total + amountMinor, facts.amountMinor)
