import type { CurrencyCode } from '@tollgate/contract'
import type { CountedTrait, CountrySource, ListedTrait } from './traits.ts'

/** How a risk check ends. */
export type RiskVerdict = 'accept' | 'review' | 'reject'

/** More than an amount. */
export interface AmountCondition {
  readonly kind: 'amount'
  readonly currency: CurrencyCode
  readonly aboveMinor: number
}

/** More than so many payments that share a trait within a time, this one among them. */
export interface CountCondition {
  readonly kind: 'count'
  readonly by: CountedTrait
  readonly above: number
  readonly withinMs: number
}

/** More than an amount, together with the earlier payments in its currency that share a trait within a time. */
export interface SumCondition {
  readonly kind: 'sum'
  readonly by: CountedTrait
  readonly currency: CurrencyCode
  readonly aboveMinor: number
  readonly withinMs: number
}

/** Of the countries that are known, not all are the same. */
export interface CountriesCondition {
  readonly kind: 'countries'
  readonly of: readonly CountrySource[]
}

/** A trait that stands on a list: blocked, allowed, or worth a score. */
export interface ListCondition {
  readonly kind: 'list'
  readonly by: ListedTrait
  /** As `normalTrait` writes them. */
  readonly values: ReadonlySet<string>
}

/** An order that was placed longer ago than a time. */
export interface OrderAgeCondition {
  readonly kind: 'orderAge'
  readonly aboveMs: number
}

export type RiskCondition =
  | AmountCondition
  | CountCondition
  | SumCondition
  | CountriesCondition
  | ListCondition
  | OrderAgeCondition

/** One condition, and what follows when a payment meets it. */
export interface RiskRule {
  /** For people: answers name the rules that hit. */
  readonly name: string
  readonly when: RiskCondition
  /** What it adds to the score, −99,999 to +99,999 and the higher the riskier, or how the check is to end. */
  readonly effect: number | RiskVerdict
}

/** The rules by which payments of an entity are judged. Their order does not matter. */
export interface RiskRules {
  readonly rules: readonly RiskRule[]
  /** The score from which a payment is reviewed, and rejected; undefined: whatever the score. */
  readonly reviewFrom: number | undefined
  readonly rejectFrom: number | undefined
}

/** Rules in place of the configured ones, for payments that name a risk channel, a risk service or both. */
export interface RiskOverride extends RiskRules {
  readonly channelId: string | undefined
  readonly serviceId: string | undefined
}

/** The rules of an entity, and those that a payment may name instead. */
export interface RiskRuleChoice {
  readonly configured: RiskRules
  /** In order of decision: the first that fits judges. */
  readonly overrides: readonly RiskOverride[]
}
