import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  changeConnector,
  ConnectorName,
  type ConnectorSettings,
  connectorStates,
  createConnector,
  deleteConnector,
  hasCredentials,
} from '@tollgate/operations'
import type { ConnectorRow } from '@tollgate/storage'
import { type Static, Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { checkExclusiveMembers } from '../../outgoing/connectors/check-exclusive-members.ts'
import { ConnectorSettingsError, type PreparedConnector } from '../../outgoing/connectors/connector-kind.ts'
import { connectorKinds } from '../../outgoing/connectors/kinds.ts'
import { timeOf } from './instant.ts'
import { ManageError } from './manage-error.ts'
import { retryOnConflict } from './retry-on-conflict.ts'
import { strictObject } from './schemas.ts'

const ByName = Type.Object({ id: ConnectorName })
const State = Type.Enum([...connectorStates])
/** The kind validates the members. */
const Members = Type.Object({})
const NewConnector = strictObject({
  name: ConnectorName,
  kind: Type.String({ enum: [...connectorKinds.keys()] }),
  settings: Members,
  credentials: Type.Optional(Members),
  state: Type.Optional(State),
})
const Change = strictObject({
  settings: Type.Optional(Members),
  credentials: Type.Optional(Type.Union([Members, Type.Null()])),
  state: Type.Optional(State),
})
const Credentials = strictObject({ credentials: Members })

/**
 * Creates, changes and deletes connectors to acquirers and providers, and rotates their credentials, which are never
 * shown again.
 */
export function connectorRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { storage, connectorCache, connectors, connectorRules } = gateway

  /** Reads the row from the storage, because the notification of a change by another process may not have arrived. */
  async function storedConnector(name: string): Promise<ConnectorRow> {
    const row = (await storage.connectors()).find(({ id, deleted_at_ms: deleted }) => id === name && deleted === null)
    if (!row) throw new ManageError(404, `There is no connector ${name}.`)
    return row
  }

  const prepare = (kind: string, settings: object): PreparedConnector =>
    refusing(() => {
      const found = connectorKinds.get(kind)
      if (!found) throw new ConnectorSettingsError(`kind must be one of ${[...connectorKinds.keys()].join(', ')}`)
      return found.prepare(settings, connectorRules)
    })

  async function refuseSharedMembers(name: string, prepared: PreparedConnector): Promise<void> {
    const others = (await storage.connectors()).filter(({ id }) => id !== name)
    refusing(() => checkExclusiveMembers(prepared, others, connectorRules))
  }

  function refusePermanentMembers({ permanent = {} }: PreparedConnector, before: PreparedConnector['permanent']): void {
    for (const [member, value] of Object.entries(permanent))
      if ((before?.[member] ?? value) !== value)
        throw new ManageError(409, `body/${member} cannot be changed: create another connector.`)
  }

  /** The permanent members of stored settings; none if the settings are not permitted any more. */
  function storedMembers(kind: string, settings: object): PreparedConnector['permanent'] {
    try {
      return prepare(kind, settings).permanent
    } catch (error) {
      if (error instanceof ManageError) return {}
      throw error
    }
  }

  async function create({ name, kind, settings, credentials, state = 'enabled' }: Static<typeof NewConnector>) {
    const prepared = prepare(kind, settings)
    refusing(() => prepared.checkCredentials(credentials))
    await refuseSharedMembers(name, prepared)
    if (connectorCache.all().length >= limits.connectorsMax)
      throw new ManageError(409, `There are ${limits.connectorsMax} connectors: delete one that is not used.`)
    const created = await createConnector(gateway, { name, kind, state }, settingsOf(settings, prepared), credentials)
    if (created === 'taken')
      throw new ManageError(409, `The name ${name} is taken; names of deleted connectors are, too.`)
    return view(created)
  }

  const change = (name: string, { settings, credentials, state }: Static<typeof Change>) =>
    retryOnConflict(async () => {
      const row = await storedConnector(name)
      const stored: object = JSON.parse(row.settings)
      // A connector whose stored settings are not permitted any more can still be disabled.
      const needsCheck = settings !== undefined || credentials !== undefined
      const prepared = needsCheck ? prepare(row.kind, settings ?? stored) : undefined
      if (settings && prepared) {
        refusePermanentMembers(prepared, storedMembers(row.kind, stored))
        await refuseSharedMembers(name, prepared)
      }
      if (credentials !== undefined) refusing(() => prepared?.checkCredentials(credentials ?? undefined))
      const outcome = await changeConnector(gateway, row, {
        settings: settings && prepared && { from: storedSettings(row, stored), to: settingsOf(settings, prepared) },
        state,
        credentials,
      })
      if (outcome.kind === 'credentials')
        throw new ManageError(409, `body/${outcome.member} was changed: send body/credentials again, too.`)
      return outcome.kind === 'saved' ? view(outcome.row) : undefined
    })

  /** If the stored settings are not permitted any more, every target counts as changed. */
  function storedSettings(row: ConnectorRow, settings: object): ConnectorSettings {
    try {
      return settingsOf(settings, prepare(row.kind, settings))
    } catch (error) {
      if (error instanceof ManageError) return { text: row.settings, targets: {} }
      throw error
    }
  }

  const remove = (name: string) =>
    retryOnConflict(async () => {
      const outcome = await deleteConnector(gateway, await storedConnector(name))
      if (outcome === 'conflict') return undefined
      if (outcome !== 'deleted') throw new ManageError(409, `The connector was not deleted: ${outcome.reason}.`)
      return { name, state: 'deleted' }
    })

  /** A connector for operators, without its credentials. */
  function view(row: ConnectorRow) {
    const running = connectors.find(row.id)
    return {
      name: row.id,
      kind: row.kind,
      state: row.state,
      settings: JSON.parse(row.settings),
      hasCredentials: hasCredentials(row),
      credentialsChangedAt: timeOf(row.credentials_at_ms),
      /** Of this process. */
      isHealthy: running?.isHealthy ?? false,
      methods: [...(connectorKinds.get(row.kind)?.methods ?? [])],
      createdAt: timeOf(row.created_at_ms),
      changedAt: timeOf(row.changed_at_ms),
    }
  }

  return async (server) => {
    server.get('/connectors', () => {
      const all = connectorCache.all()
      return { connectors: all.slice(0, limits.listMax).map(view), total: all.length }
    })
    server.get('/connectors/:id', { schema: { params: ByName } }, async ({ params }) =>
      view(await storedConnector(params.id)),
    )
    server.post('/connectors', { schema: { body: NewConnector } }, async ({ body }, reply) =>
      reply.code(201).send(await create(body)),
    )
    server.patch('/connectors/:id', { schema: { params: ByName, body: Change } }, ({ params, body }) =>
      change(params.id, body),
    )
    server.delete('/connectors/:id', { schema: { params: ByName } }, ({ params }) => remove(params.id))
    server.post('/connectors/:id/credentials', { schema: { params: ByName, body: Credentials } }, ({ params, body }) =>
      change(params.id, body),
    )
  }
}

const settingsOf = (settings: object, { targets }: PreparedConnector): ConnectorSettings => ({
  text: JSON.stringify(settings),
  targets,
})

/** Answers invalid settings and credentials with the path of the member. */
function refusing<T>(check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (error instanceof ConnectorSettingsError) throw new ManageError(400, `body/${error.message}`)
    throw error
  }
}
