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

/** The known countries differ. */
export interface CountriesCondition {
  readonly kind: 'countries'
  readonly of: readonly CountrySource[]
}

/** A trait that is on a list: blocked, allowed, or with a score. */
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

/** A condition and its effect on payments that meet it. */
export interface RiskRule {
  /** For people: answers name the rules that hit. */
  readonly name: string
  readonly when: RiskCondition
  /** The effect: points (−99,999 to +99,999; higher is riskier), or the verdict of the check. */
  readonly effect: number | RiskVerdict
}

/** The rules by which payments of an entity are judged. Their order does not matter. */
export interface RiskRules {
  readonly rules: readonly RiskRule[]
  /** The scores from which a payment is reviewed or rejected; undefined: at no score. */
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
