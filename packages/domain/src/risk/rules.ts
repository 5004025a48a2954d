import type { CurrencyCode } from '@tollgate/contract'
import type { CountedTrait, CountrySource, ListedTrait } from './traits.ts'

/** Verdict of a risk check. */
export type RiskVerdict = 'accept' | 'review' | 'reject'

/** The amount exceeds a limit. */
export interface AmountCondition {
  readonly kind: 'amount'
  readonly currency: CurrencyCode
  readonly aboveMinor: number
}

/** The number of payments that share a trait within a period, this payment included, exceeds a limit. */
export interface CountCondition {
  readonly kind: 'count'
  readonly by: CountedTrait
  readonly above: number
  readonly withinMs: number
}

/** The sum of this payment and earlier payments in its currency that share a trait within a period exceeds a limit. */
export interface SumCondition {
  readonly kind: 'sum'
  readonly by: CountedTrait
  readonly currency: CurrencyCode
  readonly aboveMinor: number
  readonly withinMs: number
}

/** The countries of the payment from the listed sources differ; absent countries are ignored. */
export interface CountriesCondition {
  readonly kind: 'countries'
  readonly of: readonly CountrySource[]
}

/** A trait is on a list of blocked, allowed or scored values. */
export interface ListCondition {
  readonly kind: 'list'
  readonly by: ListedTrait
  /** Values as `normaliseTraitValue` returns them. */
  readonly values: ReadonlySet<string>
}

/** The order is older than a limit. */
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
  /** The name is shown to people: answers contain the names of the matching rules. */
  readonly name: string
  readonly when: RiskCondition
  /** The effect: points (−99,999 to +99,999; higher is riskier), or the verdict of the check. */
  readonly effect: number | RiskVerdict
}

/** The rules for payments of an entity. Their order does not matter. */
export interface RiskRules {
  readonly rules: readonly RiskRule[]
  /** The scores from which a payment is reviewed or rejected; undefined: at no score. */
  readonly reviewFrom: number | undefined
  readonly rejectFrom: number | undefined
}

/** Rules that replace the configured rules, for payments with a risk channel, a risk service or both. */
export interface RiskOverride extends RiskRules {
  readonly channelId: string | undefined
  readonly serviceId: string | undefined
}

/** The rules of an entity, and the overrides that a payment can choose by its ids. */
export interface RiskRuleChoice {
  readonly configured: RiskRules
  /** In order of decision: the first matching override applies. */
  readonly overrides: readonly RiskOverride[]
}
