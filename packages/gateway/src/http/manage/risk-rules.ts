import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Vault } from '@tollgate/vault'
import type { Gateway } from '../../gateway.ts'
import { RiskRulesError } from '../../risk-conditions.ts'
import { listedKeyIds, prepareRules, riskRuleSet, type RiskRuleSet } from '../../risk-rules.ts'
import { takeTurns } from '../../turns.ts'
import { ManageError } from './error.ts'
import { ById } from './schema-id.ts'

/** The risk rules of entities: read, set, take back. The nearest rules hold, those of the entity or of one above it. */
export function riskRulesRoutes({ directory, ids, clock, storage, vault }: Gateway): FastifyPluginAsyncTypebox {
  const inTurn = takeTurns()

  function existing(id: string): string {
    if (directory.entity(id)) return id
    throw new ManageError(404, `There is no entity ${id}.`)
  }
  /** @param set null: from now on the entity has none of its own */
  async function save(id: string, set: RiskRuleSet | null): Promise<void> {
    const rules = set && JSON.stringify(set)
    const row = { entity_id: id, rules, changed_at_ms: clock.now() }
    await storage.commit({ id: ids.ordered(), guards: [], rows: { risk_rules: [row] } })
    directory.putRiskRules(row)
  }
  /** What holds for an entity, and where it was set. */
  function view(id: string) {
    const { entityId = null, set = null } = directory.riskRules(id) ?? {}
    return { entityId: id, setFor: entityId, riskRules: set }
  }

  return async (server) => {
    server.get('/entities/:id/risk-rules', { schema: { params: ById } }, ({ params }) => view(existing(params.id)))

    server.put('/entities/:id/risk-rules', { schema: { params: ById, body: riskRuleSet } }, ({ params, body }) =>
      inTurn(existing(params.id), async () => {
        refuseWrong(body, vault)
        await save(params.id, body)
        return view(params.id)
      }),
    )

    server.delete('/entities/:id/risk-rules', { schema: { params: ById } }, ({ params }) =>
      inTurn(existing(params.id), async () => {
        await save(params.id, null)
        return view(params.id)
      }),
    )
  }
}

function refuseWrong(set: RiskRuleSet, vault: Vault): void {
  const { current, others } = vault.keyIds().fingerprint
  try {
    const gone = listedKeyIds(prepareRules(set)).filter((id) => id !== current && !others.includes(id))
    if (gone.length > 0) {
      throw new RiskRulesError(`rules list fingerprints of ${gone.join(', ')}, which is no key any more: renew them`)
    }
  } catch (error) {
    if (error instanceof RiskRulesError) throw new ManageError(400, `body/${error.message}`)
    throw error
  }
}
