import type { Vault } from '@tollgate/vault'
import { commitChange } from '../commit-change.ts'
import { RiskRulesError } from '../directory/risk-conditions.ts'
import { listedKeyIds, prepareRules, type RiskRuleSet } from '../directory/risk-rules.ts'
import type { Context } from '../context.ts'

/**
 * Checks and stores the risk rules of an entity.
 *
 * @param set null: removes the entity's own rules
 * @throws RiskRulesError if the rules cannot be applied; nothing was written
 */
export async function saveRiskRules(context: Context, entityId: string, set: RiskRuleSet | null): Promise<void> {
  const { directory, clock, vault } = context
  if (set) checkRules(set, vault)
  const row = { entity_id: entityId, rules: set && JSON.stringify(set), changed_at_ms: clock.now() }
  await commitChange(context, { rows: { risk_rules: [row] } })
  directory.putRiskRules(row)
}

function checkRules(set: RiskRuleSet, vault: Vault): void {
  const { current, previous } = vault.keyIds().fingerprint
  const retired = listedKeyIds(prepareRules(set)).filter((id) => id !== current && !previous.includes(id))
  if (retired.length > 0) {
    throw new RiskRulesError(`rules list fingerprints of ${retired.join(', ')}, whose keys are retired: replace them`)
  }
}
