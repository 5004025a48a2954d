import { randomBytes } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { rights } from '@tollgate/domain'
import type { AccessTokenRow } from '@tollgate/storage'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { rightsOf } from '../../directory.ts'
import { limits } from '../../gateway-limits.ts'
import { takeTurns } from '../../turns.ts'
import { ManageError } from './error.ts'
import { bodyIsOptional } from './optional-body.ts'
import { ById, Id } from './schema-id.ts'
import { startOver } from './start-over.ts'
import { voidBySandbox } from './void.ts'

const ForEntity = Type.Object({ entityId: Type.Optional(Id) }, { additionalProperties: false })
const NewToken = Type.Object(
  {
    entityId: Id,
    rights: Type.Optional(
      Type.Array(Type.String({ enum: [...rights] }), { uniqueItems: true, maxItems: rights.length }),
    ),
    lifetimeSeconds: Type.Optional(
      Type.Integer({ minimum: limits.tokenLifetimeSecondsMin, maximum: limits.tokenLifetimeSecondsMax }),
    ),
  },
  { additionalProperties: false },
)
const Rotation = Type.Object(
  { overlapSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.overlapSecondsMax })) },
  { additionalProperties: false },
)

/** A new token, and what is kept of it. */
interface Drawn {
  readonly token: string
  readonly row: AccessTokenRow
}

/** Access tokens: list, create, rotate with an overlap, revoke. A token is shown once and kept as a keyed hash. */
export function tokenRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { directory, ids, clock, storage, vault } = gateway
  /** A rotation that overtook a revocation would bring the token back to life. */
  const inTurn = takeTurns()

  async function add(row: AccessTokenRow): Promise<void> {
    await storage.commit({ id: ids.ordered(), guards: [], rows: { access_token: [row] } })
    directory.putToken(row)
  }
  /** @returns whether `from` was still what is stored; otherwise nothing was written */
  async function change(from: AccessTokenRow, to: AccessTokenRow, added: readonly AccessTokenRow[]): Promise<boolean> {
    const swaps = [{ table: 'access_token' as const, from, to }]
    const { kind } = await storage.commit({ id: ids.ordered(), guards: [], swaps, rows: { access_token: added } })
    if (kind !== 'committed') return false
    for (const row of [to, ...added]) directory.putToken(row)
    return true
  }
  /** As it is stored: another process may have revoked it, and this one not have heard of that yet. */
  async function existing(id: string): Promise<AccessTokenRow> {
    const row = (await storage.accessTokens()).find((one) => one.id === id)
    if (!row) throw new ManageError(404, `There is no token ${id}.`)
    return row
  }
  function draw(entityId: string, granted: string, expiresAtMs: number | null): Drawn {
    const id = ids.random()
    const token = Buffer.from(`${id}|${randomBytes(18).toString('base64url')}`).toString('base64')
    const row = {
      id,
      entity_id: entityId,
      user_id: id,
      hash: vault.mac('token', token),
      rights: granted,
      created_at_ms: clock.now(),
      expires_at_ms: expiresAtMs,
      revoked_at_ms: null,
    }
    return { token, row }
  }

  const viewOf = (row: AccessTokenRow) => ({ ...view(row), ...(directory.isVoid(row.entity_id) && voidBySandbox) })
  function refuseVoid(entityId: string): void {
    if (directory.isVoid(entityId)) throw new ManageError(409, `The entity ${entityId} is void: ${voidBySandbox.void}.`)
  }

  async function rotate(id: string, overlapSeconds: number): Promise<Drawn | undefined> {
    const old = await existing(id)
    refuseVoid(old.entity_id)
    const nowMs = clock.now()
    if (old.revoked_at_ms !== null || (old.expires_at_ms !== null && old.expires_at_ms <= nowMs)) {
      throw new ManageError(409, `The token ${id} is no longer valid; create a new one.`)
    }
    const overlapEndsMs = nowMs + overlapSeconds * 1000
    const drawn = draw(old.entity_id, old.rights, null)
    const expiresAtMs = Math.min(old.expires_at_ms ?? overlapEndsMs, overlapEndsMs)
    // Without an overlap the old token is revoked, so that its end does not depend on a clock.
    const ending = { ...old, expires_at_ms: expiresAtMs, revoked_at_ms: overlapSeconds === 0 ? nowMs : null }
    return (await change(old, ending, [drawn.row])) ? drawn : undefined
  }
  async function revoke(id: string) {
    const row = await existing(id)
    if (row.revoked_at_ms !== null) return viewOf(row)
    const revoked = { ...row, revoked_at_ms: clock.now() }
    return (await change(row, revoked, [])) ? viewOf(revoked) : undefined
  }

  return async (server) => {
    server.get('/tokens', { schema: { querystring: ForEntity } }, ({ query }) => {
      const found = directory.tokens().filter((row) => query.entityId === undefined || row.entity_id === query.entityId)
      return { tokens: found.slice(0, limits.listMax).map(viewOf), total: found.length }
    })

    server.post('/tokens', { schema: { body: NewToken } }, async ({ body }, reply) => {
      if (!directory.entity(body.entityId)) throw new ManageError(404, `There is no entity ${body.entityId}.`)
      refuseVoid(body.entityId)
      const expiresAtMs = body.lifetimeSeconds === undefined ? null : clock.now() + body.lifetimeSeconds * 1000
      const { token, row } = draw(body.entityId, (body.rights ?? []).join(' '), expiresAtMs)
      await add(row)
      return reply.code(201).send({ ...view(row), token })
    })

    const rotation = { schema: { params: ById, body: Rotation }, preValidation: bodyIsOptional }
    server.post('/tokens/:id/rotate', rotation, async ({ params, body }, reply) => {
      const overlapSeconds = body.overlapSeconds ?? limits.overlapSeconds
      const drawn = await inTurn(params.id, () => startOver(() => rotate(params.id, overlapSeconds)))
      return reply.code(201).send({ ...view(drawn.row), token: drawn.token })
    })

    server.delete('/tokens/:id', { schema: { params: ById } }, ({ params }) =>
      inTurn(params.id, () => startOver(() => revoke(params.id))),
    )
  }
}

/** All of a token but itself. */
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
