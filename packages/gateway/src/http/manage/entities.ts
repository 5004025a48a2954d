import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { EntityRow } from '@tollgate/storage'
import { type Static, Type } from 'typebox'
import {
  changedSettings,
  createKeyedMutex,
  type Entity,
  entitySettings,
  readEntitySettings,
  saveEntity,
  settingsChange,
} from '@tollgate/operations'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { ManageError } from './manage-error.ts'
import { ById, strictObject, Id } from './schemas.ts'
import { retryOnConflict } from './retry-on-conflict.ts'
import { voidBySandbox } from './void-by-sandbox.ts'

/** The kind of the parent, by the kind of an entity. */
const parentKinds: Readonly<Record<EntityRow['kind'], EntityRow['kind'] | null>> = {
  psp: null,
  division: 'psp',
  merchant: 'division',
  channel: 'merchant',
}

const Kind = Type.Enum(['psp', 'division', 'merchant', 'channel'])
/** A channel's name becomes part of descriptors, which contain no control characters. */
const Name = Type.String({ minLength: 1, maxLength: limits.nameCharsMax, pattern: '^[^\\u0000-\\u001F\\u007F]*$' })
const NewEntity = strictObject({
  kind: Kind,
  name: Name,
  parentId: Type.Optional(Id),
  settings: Type.Optional(entitySettings),
})
const Change = strictObject({ name: Type.Optional(Name), settings: Type.Optional(settingsChange) })
const Filter = strictObject({ kind: Type.Optional(Kind), parentId: Type.Optional(Id) })

/** Lists, shows, creates and changes entities: psp → division → merchant → channel. No entity is ever removed. */
export function entityRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { directory, ids, clock, storage } = gateway
  /** Serialises the changes of an entity, so that each change starts from the result of the previous one. */
  const withLock = createKeyedMutex()

  /** @returns false if the stored row is no longer `from`; then nothing was written */
  async function save(row: EntityRow, from?: EntityRow): Promise<boolean> {
    const saved = await saveEntity(gateway, row, from)
    if (saved.kind === 'refused') throw new ManageError(400, saved.reason)
    return saved.kind === 'saved'
  }
  /** Reads the row from the storage, because the notification of a change by another process may not have arrived. */
  async function storedEntity(id: string): Promise<EntityRow> {
    const row = (await storage.entities()).find((entity) => entity.id === id)
    if (!row) throw noEntity(id)
    return row
  }
  async function change(id: string, { name, settings: changes }: Static<typeof Change>) {
    const row = await storedEntity(id)
    const settings = changedSettings(readEntitySettings(row.settings), changes)
    const isSaved = await save({ ...row, name: name ?? row.name, settings }, row)
    return isSaved ? viewOf(existing(id)) : undefined
  }
  const existing = (id: string) => existingEntity(gateway, id)
  const viewOf = (entity: Entity) => ({ ...view(entity), ...(directory.isVoid(entity.id) && voidBySandbox) })

  return async (server) => {
    server.get('/entities', { schema: { querystring: Filter } }, ({ query }) => {
      const { kind, parentId } = query
      const entities = directory
        .entities()
        .filter((entity) => kind === undefined || entity.kind === kind)
        .filter((entity) => parentId === undefined || entity.parent_id === parentId)
      return { entities: entities.slice(0, limits.listMax).map(viewOf), total: entities.length }
    })

    server.get('/entities/:id', { schema: { params: ById } }, ({ params }) => viewOf(existing(params.id)))

    server.post('/entities', { schema: { body: NewEntity } }, async ({ body }, reply) => {
      const parent = parentOf(body.kind, body.parentId, existing)
      const id = ids.random()
      const row: EntityRow = {
        id,
        merchant: body.kind === 'merchant' ? id : (parent?.merchant ?? ''),
        parent_id: parent?.id ?? null,
        kind: body.kind,
        name: body.name,
        settings: JSON.stringify(body.settings ?? {}),
        created_at_ms: clock.now(),
      }
      await save(row)
      return reply.code(201).send(viewOf(existing(id)))
    })

    server.patch('/entities/:id', { schema: { params: ById, body: Change } }, ({ params, body }) =>
      withLock(params.id, () => retryOnConflict(() => change(params.id, body))),
    )
  }
}

/** @throws ManageError if the entity does not exist */
export function existingEntity({ directory }: Pick<Gateway, 'directory'>, id: string): Entity {
  const entity = directory.entity(id)
  if (!entity) throw noEntity(id)
  return entity
}

const noEntity = (id: string): ManageError => new ManageError(404, `There is no entity ${id}.`)

function parentOf(kind: EntityRow['kind'], parentId: string | undefined, existing: (id: string) => Entity) {
  const parentKind = parentKinds[kind]
  if (parentKind === null) {
    if (parentId !== undefined) throw new ManageError(400, `A ${kind} has no parent; leave parentId out.`)
    return undefined
  }
  if (parentId === undefined)
    throw new ManageError(400, `parentId must name the ${parentKind} that the ${kind} belongs to.`)
  const parent = existing(parentId)
  if (parent.kind !== parentKind)
    throw new ManageError(400, `parentId must name a ${parentKind}; ${parentId} is a ${parent.kind}.`)
  return parent
}

function view({ id, kind, name, parent_id, settings, created_at_ms }: Entity) {
  return { id, kind, name, parentId: parent_id, settings, createdAt: new Date(created_at_ms).toISOString() }
}
