import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Gateway } from '../../gateway.ts'
import { createKeyedMutex, RiskRulesError, riskRuleSet, type RiskRuleSet, saveRiskRules } from '@tollgate/operations'
import { existingEntity } from './entities.ts'
import { ManageError } from './manage-error.ts'
import { ById } from './schemas.ts'

/**
 * Shows, sets and removes the risk rules of an entity. The nearest rules apply: those of the entity, or else of the
 * nearest entity above it that has rules.
 */
export function riskRulesRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { directory } = gateway
  const withLock = createKeyedMutex()

  const existingId = (id: string): string => existingEntity(gateway, id).id

  async function save(id: string, set: RiskRuleSet | null): Promise<void> {
    try {
      await saveRiskRules(gateway, id, set)
    } catch (error) {
      if (error instanceof RiskRulesError) throw new ManageError(400, `body/${error.message}`)
      throw error
    }
  }
  const change = (id: string, set: RiskRuleSet | null) =>
    withLock(existingId(id), async () => {
      await save(id, set)
      return view(id)
    })
  /** The rules that apply to an entity, and the entity that sets them. */
  function view(id: string) {
    const { entityId = null, set = null } = directory.riskRules(id) ?? {}
    return { entityId: id, setFor: entityId, riskRules: set }
  }

  return async (server) => {
    server.get('/entities/:id/risk-rules', { schema: { params: ById } }, ({ params }) => view(existingId(params.id)))

    server.put('/entities/:id/risk-rules', { schema: { params: ById, body: riskRuleSet } }, ({ params, body }) =>
      change(params.id, body),
    )

    server.delete('/entities/:id/risk-rules', { schema: { params: ById } }, ({ params }) => change(params.id, null))
  }
}
