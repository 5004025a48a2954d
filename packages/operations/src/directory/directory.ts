import { isRight, type Right, type Route } from '@tollgate/domain'
import type { AccessTokenRow, EntityRow, RiskRulesRow, RouteListRow, Storage } from '@tollgate/storage'
import { accessTokenOf } from './access-token.ts'
import { createAccessTokens } from './access-tokens.ts'
import { createTableCache } from '../table-cache.ts'
import { limits } from '../limits.ts'
import { areLegacy, type Channel, type Directory, type Entity, type TenantSettings } from './channel.ts'
import { isOfSandbox } from './sandbox.ts'
import { prepareRules, type PreparedRules, readRiskRules, type RiskRuleSet } from './risk-rules.ts'
import { prepareRoutes, readRoutes, type RouteSet } from './routes.ts'
import { channelSettings, readEntitySettings } from './entity-settings.ts'

/**
 * Opens the directory with all stored rows. After a commit, this process passes the new rows to putEntity, putToken,
 * putRiskRules or putRoutes.
 *
 * @param storage is read now and by each reload
 * @param hash computes the keyed hash under which a token is stored
 * @param hasSandbox whether the sandbox is on
 * @param environment that of every channel
 */
export async function openDirectory(
  storage: Storage,
  hash: (token: string | Uint8Array) => Uint8Array,
  hasSandbox = true,
  environment: Channel['environment'] = 'test',
): Promise<Directory> {
  const entities = new Map<string, Entity>()
  const tokens = createAccessTokens(hash)
  const channels = new Map<string, Channel>()
  /** Computed at first use. */
  const tenantSettings = new Map<string, TenantSettings>()
  const voidIds = new Set<string>()
  const riskRules = new Map<string, { readonly set: RiskRuleSet; readonly prepared: PreparedRules }>()
  const routes = new Map<string, { readonly set: RouteSet; readonly prepared: readonly Route[] }>()
  let acceptsLogins = false

  const ancestry = (id: string): Entity[] => {
    const chain: Entity[] = []
    let entity = entities.get(id)
    for (; entity && chain.length < limits.entityDepthMax; entity = entities.get(entity.parent_id ?? ''))
      chain.push(entity)
    return chain
  }
  /** Iterates without the array of `ancestry`, because every request calls this function. */
  const isBelow = (descendant: Entity | undefined, ancestorId: string): boolean => {
    let entity = descendant
    for (let depth = 0; entity && entity.id !== ancestorId && depth < limits.entityDepthMax; depth += 1) {
      entity = entities.get(entity.parent_id ?? '')
    }
    return entity?.id === ancestorId
  }
  const reaches = (ancestorId: string, id: string): boolean => isBelow(entities.get(id), ancestorId)
  const channelsOf = (entityId: string): readonly Channel[] => {
    if (voidIds.has(entityId)) return []
    const channel = channels.get(entityId)
    if (channel) return [channel]
    const entity = entities.get(entityId)
    if (entity?.kind !== 'merchant' || !entity.settings.dispatching) return []
    return [...channels.values()].filter(({ merchant }) => merchant === entityId)
  }

  /** The nearest entity, from `id` upwards, with a value of its own. */
  const nearest = <Value>(byEntity: ReadonlyMap<string, Value>, id: string) => {
    const entityId = ancestry(id).find((entity) => byEntity.has(entity.id))?.id ?? ''
    const value = byEntity.get(entityId)
    return value && { entityId, value }
  }

  const rebuildChannels = () => {
    channels.clear()
    tenantSettings.clear()
    voidIds.clear()
    for (const entity of entities.values()) {
      const lineage = ancestry(entity.id)
      if (!hasSandbox && lineage.some(isOfSandbox)) voidIds.add(entity.id)
      if (entity.kind !== 'channel') continue
      const chain = lineage.map((ancestor) => ancestor.settings)
      const settings = channelSettings(chain.toReversed())
      const { id, merchant, name } = entity
      const risk = nearest(riskRules, id)?.value.prepared
      const nearestRoutes = nearest(routes, id)?.value.prepared
      channels.set(id, { id, merchant, name, settings, risk, routes: nearestRoutes, environment })
    }
    acceptsLogins = [...channels.values()].some((channel) => areLegacy([channel]) && !voidIds.has(channel.id))
  }
  const put = (row: EntityRow) => entities.set(row.id, { ...row, settings: readEntitySettings(row.settings) })
  const putRules = ({ entity_id: id, rules }: RiskRulesRow) => {
    if (rules === null) return void riskRules.delete(id)
    const set = readRiskRules(rules)
    riskRules.set(id, { set, prepared: prepareRules(set) })
  }
  const putRouteSet = ({ entity_id: id, routes: text }: RouteListRow) => {
    if (text === null) return void routes.delete(id)
    const set = readRoutes(text)
    routes.set(id, { set, prepared: prepareRoutes(set) })
  }

  const isUsableToken = (row: AccessTokenRow, nowMs: number) => isValidToken(row, nowMs) && !voidIds.has(row.entity_id)

  const { reload, invalidateReads } = createTableCache(
    () => Promise.all([storage.entities(), storage.riskRules(), storage.routeLists(), storage.accessTokens()]),
    ([entityRows, ruleRows, routeRows, tokenRows]) => {
      // A reload removes no entity and no token, because rows of these tables are never removed.
      for (const row of entityRows.toSorted((a, b) => a.created_at_ms - b.created_at_ms)) put(row)
      for (const row of ruleRows) putRules(row)
      for (const row of routeRows) putRouteSet(row)
      for (const row of tokenRows) tokens.put(row)
      rebuildChannels()
    },
  )
  await reload()

  return {
    authenticate(authorization, nowMs) {
      const row = tokens.findByHeader(authorization)
      if (typeof row === 'string') return row
      return isUsableToken(row, nowMs) ? { tokenId: row.id, entityId: row.entity_id, rights: rightsOf(row) } : 'unknown'
    },
    logIn(login, nowMs) {
      const { entityId, userId, password } = login ?? {}
      if (entityId === undefined || userId === undefined || password === undefined) return 'missing'
      if (!areLegacy(channelsOf(entityId))) return 'missing'
      const token = accessTokenOf(userId, password)
      const row = token.use((bytes) => tokens.findByToken(bytes))
      token.wipe()
      if (row === 'unknown' || !isUsableToken(row, nowMs) || !reaches(row.entity_id, entityId)) return 'unknown'
      return { tokenId: row.id, entityId, rights: rightsOf(row) }
    },
    acceptsLogins: () => acceptsLogins,
    channelsFor(caller, entityId) {
      // The stored id instead of the equal sent one, which is a slice of the form's text and slow to compare.
      const entity = entities.get(entityId)
      return entity && isBelow(entity, caller.entityId) ? channelsOf(entity.id) : []
    },
    reaches,
    channel: (id) => channels.get(id),
    tenantSettingsOf(entityId) {
      const cached = tenantSettings.get(entityId)
      if (cached) return cached
      const tenant = entities.get(entityId)?.merchant || entityId
      const chain = ancestry(entityId).map(({ settings }) => settings)
      const below = [...channels.values()].filter(({ id }) => reaches(entityId, id))
      const { throttle } = channelSettings(chain.toReversed())
      const computed = { tenant, throttle, isLegacy: areLegacy(below) }
      tenantSettings.set(entityId, computed)
      return computed
    },
    entity: (id) => entities.get(id),
    entities: () => [...entities.values()],
    tokens: () => tokens.all(),
    isVoid: (entityId) => voidIds.has(entityId),
    riskRules(entityId) {
      const rules = nearest(riskRules, entityId)
      return rules && { entityId: rules.entityId, set: rules.value.set }
    },
    routes(entityId) {
      const list = nearest(routes, entityId)
      return list && { entityId: list.entityId, set: list.value.set }
    },
    routeSets: () => Array.from(routes, ([entityId, { set }]) => ({ entityId, set })),
    reload,
    putEntity(row) {
      invalidateReads()
      put(row)
      rebuildChannels()
    },
    putToken(row) {
      invalidateReads()
      tokens.put(row)
    },
    putRiskRules(row) {
      invalidateReads()
      putRules(row)
      rebuildChannels()
    },
    putRoutes(row) {
      invalidateReads()
      putRouteSet(row)
      rebuildChannels()
    },
  }
}

/** Whether a token is neither revoked nor expired. A revocation applies even if its time is later than `nowMs`. */
function isValidToken({ revoked_at_ms, expires_at_ms }: AccessTokenRow, nowMs: number): boolean {
  return revoked_at_ms === null && (expires_at_ms === null || expires_at_ms > nowMs)
}

/** The rights of a token. Most tokens have none: they share one empty list. */
export const rightsOf = ({ rights }: Pick<AccessTokenRow, 'rights'>): readonly Right[] =>
  rights === '' ? NONE : rights.split(' ').filter(isRight)

const NONE: readonly Right[] = []
