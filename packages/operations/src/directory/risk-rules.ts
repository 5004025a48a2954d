import {
  limits as domainLimits,
  needsOf,
  type RiskNeeds,
  type RiskRule,
  type RiskRuleChoice,
  type RiskRules,
} from '@tollgate/domain'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { keyIdOf } from '../fingerprint.ts'
import { limits } from '../limits.ts'
import { riskConditions, RiskRulesError } from './risk-conditions.ts'

const SCORE = { minimum: -domainLimits.riskScoreMax, maximum: domainLimits.riskScoreMax }
const Score = Type.Integer(SCORE)

const ruleMembers = {
  reviewFrom: Type.Optional(Score),
  rejectFrom: Type.Optional(Score),
  rules: Type.Array(
    Type.Object(
      {
        // A name has no comma, because answers list the matching rules separated by commas.
        name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9 _.-]*$', maxLength: limits.riskNameCharsMax }),
        when: Type.Object({ kind: Type.String({ enum: Object.keys(riskConditions) }) }),
        score: Type.Optional(Score),
        verdict: Type.Optional(Type.Enum(['accept', 'review', 'reject'])),
      },
      { additionalProperties: false },
    ),
    { maxItems: limits.riskRulesMax },
  ),
}

/** An id with the maximum length of `risk.channelId` and `risk.serviceId`. */
const OverrideId = Type.Optional(Type.String({ minLength: 1, maxLength: limits.riskValueCharsMax }))

/**
 * The risk rules of an entity, as the management API accepts them. Conditions are validated separately, by their kind.
 */
export const riskRuleSet = Type.Object(
  {
    ...ruleMembers,
    overrides: Type.Optional(
      Type.Array(
        Type.Object({ channelId: OverrideId, serviceId: OverrideId, ...ruleMembers }, { additionalProperties: false }),
        { maxItems: limits.riskOverridesMax },
      ),
    ),
  },
  { additionalProperties: false },
)

export type RiskRuleSet = Static<typeof riskRuleSet>

/** The risk rules of a channel, and the data that their conditions need. */
export interface PreparedRules extends RiskRuleChoice {
  /**
   * The needs of the configured rules and of all overrides. A payment is counted for all of them, not only for the
   * rules chosen for it, so that the counts are complete when other rules are chosen for a later payment.
   */
  readonly needs: RiskNeeds
}

/**
 * Validates rules and prepares them for evaluation.
 *
 * @throws RiskRulesError with the path of the invalid member and the requirement that it violates
 */
export function prepareRules(set: RiskRuleSet): PreparedRules {
  const configured = riskRulesOf(set, '')
  const overrides = (set.overrides ?? []).map((override, index) => {
    const { channelId, serviceId } = override
    const path = `overrides/${index}`
    if (channelId === undefined && serviceId === undefined) {
      throw new RiskRulesError(`${path} must have a channelId, a serviceId or both`)
    }
    return { ...riskRulesOf(override, `${path}/`), channelId, serviceId }
  })
  return { configured, overrides, needs: needsOf([configured, ...overrides].flatMap(({ rules }) => rules)) }
}

/** @param path the path of the rules: '', or a path with a trailing slash */
function riskRulesOf({ reviewFrom, rejectFrom, rules }: Omit<RiskRuleSet, 'overrides'>, path: string): RiskRules {
  if (reviewFrom !== undefined && rejectFrom !== undefined && reviewFrom > rejectFrom) {
    throw new RiskRulesError(`${path}reviewFrom must not be greater than rejectFrom`)
  }
  const names = new Set<string>()
  for (const [index, { name }] of rules.entries()) {
    if (names.has(name)) throw new RiskRulesError(`${path}rules/${index}/name must not be that of another rule`)
    names.add(name)
  }
  return { rules: rules.map((rule, index) => ruleOf(rule, `${path}rules/${index}`)), reviewFrom, rejectFrom }
}

/** The ids of the keys of listed fingerprints. */
export function listedKeyIds({ configured, overrides }: RiskRuleChoice): readonly string[] {
  const listed = [configured, ...overrides]
    .flatMap(({ rules }) => rules)
    .flatMap(({ when }) => (when.kind === 'list' && when.by === 'fingerprint' ? [...when.values] : []))
  return [...new Set(listed.map(keyIdOf))]
}

function ruleOf({ name, when, score, verdict }: RiskRuleSet['rules'][number], path: string): RiskRule {
  const effect = score ?? verdict
  if (effect === undefined || (score !== undefined && verdict !== undefined)) {
    throw new RiskRulesError(`${path} must have either a score or a verdict`)
  }
  const { kind } = when
  if (!isKind(kind))
    throw new RiskRulesError(`${path}/when/kind must be one of ${Object.keys(riskConditions).join(', ')}`)
  return { name, when: riskConditions[kind](when, `${path}/when`), effect }
}

const isKind = (kind: string): kind is keyof typeof riskConditions => Object.hasOwn(riskConditions, kind)

/** Reads stored rules. Throws if they do not satisfy the schema. */
export function readRiskRules(text: string): RiskRuleSet {
  return Value.Parse(riskRuleSet, JSON.parse(text))
}
