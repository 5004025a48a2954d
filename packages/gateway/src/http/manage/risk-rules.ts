import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Gateway } from '../../gateway.ts'
import { createKeyedMutex, RiskRulesError, riskRuleSet, type RiskRuleSet, saveRiskRules } from '@tollgate/operations'
import { ManageError } from './manage-error.ts'
import { ById } from './schema-id.ts'

/** The risk rules of entities: read, set, take back. The nearest rules hold, those of the entity or of one above it. */
export function riskRulesRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { directory } = gateway
  const withLock = createKeyedMutex()

  function existing(id: string): string {
    if (directory.entity(id)) return id
    throw new ManageError(404, `There is no entity ${id}.`)
  }
  async function save(id: string, set: RiskRuleSet | null): Promise<void> {
    try {
      await saveRiskRules(gateway, id, set)
    } catch (error) {
      if (error instanceof RiskRulesError) throw new ManageError(400, `body/${error.message}`)
      throw error
    }
  }
  /** What holds for an entity, and where it was set. */
  function view(id: string) {
    const { entityId = null, set = null } = directory.riskRules(id) ?? {}
    return { entityId: id, setFor: entityId, riskRules: set }
  }

  return async (server) => {
    server.get('/entities/:id/risk-rules', { schema: { params: ById } }, ({ params }) => view(existing(params.id)))

    server.put('/entities/:id/risk-rules', { schema: { params: ById, body: riskRuleSet } }, ({ params, body }) =>
      withLock(existing(params.id), async () => {
        await save(params.id, body)
        return view(params.id)
      }),
    )

    server.delete('/entities/:id/risk-rules', { schema: { params: ById } }, ({ params }) =>
      withLock(existing(params.id), async () => {
        await save(params.id, null)
        return view(params.id)
      }),
    )
  }
}
