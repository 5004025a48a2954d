import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { rights } from '@tollgate/domain'
import type { AccessTokenRow } from '@tollgate/storage'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import {
  createKeyedMutex,
  type IssuedToken,
  issueToken,
  revokeToken,
  rightsOf,
  rotateToken,
} from '@tollgate/operations'
import { limits } from '../../limits.ts'
import { existingEntity } from './entities.ts'
import { ManageError } from './manage-error.ts'
import { defaultToEmptyBody, ById, strictObject, ForEntity, Id, Overlap } from './schemas.ts'
import { retryOnConflict } from './retry-on-conflict.ts'
import { voidBySandbox } from './void-by-sandbox.ts'

const NewToken = strictObject({
  entityId: Id,
  rights: Type.Optional(Type.Array(Type.String({ enum: [...rights] }), { uniqueItems: true, maxItems: rights.length })),
  lifetimeSeconds: Type.Optional(
    Type.Integer({ minimum: limits.tokenLifetimeSecondsMin, maximum: limits.tokenLifetimeSecondsMax }),
  ),
})

/** Lists, creates, rotates and revokes access tokens. A token is shown once and stored as a keyed hash. */
export function tokenRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { directory, clock, storage } = gateway
  /** Serialises the changes of a token in this process, so that only changes by other processes cause conflicts. */
  const withLock = createKeyedMutex()

  /** Reads the row from the storage, because the notification of a revocation may not have arrived. */
  async function existingToken(id: string): Promise<AccessTokenRow> {
    const row = (await storage.accessTokens()).find((token) => token.id === id)
    if (!row) throw new ManageError(404, `There is no token ${id}.`)
    return row
  }
  const viewOf = (row: AccessTokenRow) => ({ ...view(row), ...(directory.isVoid(row.entity_id) && voidBySandbox) })
  function requireNotVoid(entityId: string): void {
    if (directory.isVoid(entityId)) throw new ManageError(409, `The entity ${entityId} is void: ${voidBySandbox.void}.`)
  }

  async function rotate(id: string, overlapSeconds: number): Promise<IssuedToken | undefined> {
    const old = await existingToken(id)
    requireNotVoid(old.entity_id)
    const issued = await rotateToken(gateway, old, overlapSeconds)
    if (issued === 'ended') throw new ManageError(409, `The token ${id} is no longer valid; create a new one.`)
    return issued
  }
  async function revoke(id: string) {
    const row = await existingToken(id)
    const revoked = row.revoked_at_ms === null ? await revokeToken(gateway, row) : row
    return revoked && viewOf(revoked)
  }

  return async (server) => {
    server.get('/tokens', { schema: { querystring: ForEntity } }, ({ query }) => {
      const tokens = directory
        .tokens()
        .filter((row) => query.entityId === undefined || row.entity_id === query.entityId)
      return { tokens: tokens.slice(0, limits.listMax).map(viewOf), total: tokens.length }
    })

    server.post('/tokens', { schema: { body: NewToken } }, async ({ body }, reply) => {
      existingEntity(gateway, body.entityId)
      requireNotVoid(body.entityId)
      const expiresAtMs = body.lifetimeSeconds === undefined ? null : clock.now() + body.lifetimeSeconds * 1000
      const { token, row } = await issueToken(gateway, body.entityId, (body.rights ?? []).join(' '), expiresAtMs)
      return reply.code(201).send({ ...view(row), token })
    })

    const rotation = { schema: { params: ById, body: Overlap }, preValidation: defaultToEmptyBody }
    server.post('/tokens/:id/rotate', rotation, async ({ params, body }, reply) => {
      const overlapSeconds = body.overlapSeconds ?? limits.overlapSeconds
      const issued = await withLock(params.id, () => retryOnConflict(() => rotate(params.id, overlapSeconds)))
      return reply.code(201).send({ ...view(issued.row), token: issued.token })
    })

    server.delete('/tokens/:id', { schema: { params: ById } }, ({ params }) =>
      withLock(params.id, () => retryOnConflict(() => revoke(params.id))),
    )
  }
}

/** A token without its secret. */
function view(row: AccessTokenRow) {
  const { id, entity_id, user_id, created_at_ms, expires_at_ms, revoked_at_ms } = row
  const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  return {
    id,
    entityId: entity_id,
    userId: user_id,
    rights: rightsOf(row),
    createdAt: iso(created_at_ms),
    expiresAt: iso(expires_at_ms),
    revokedAt: iso(revoked_at_ms),
  }
}
