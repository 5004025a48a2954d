import { timingSafeEqual } from 'node:crypto'
import type { AccessTokenRow, EntityRow, RiskRulesRow, Storage } from '@tollgate/storage'
import { limits } from './limits.ts'
import { prepareRules, type PreparedRules, readRiskRules, type RiskRuleSet } from './risk-rules.ts'
import { channelSettings, readEntitySettings, type ChannelSettings, type EntitySettings } from './settings.ts'

export interface Entity extends Omit<EntityRow, 'settings'> {
  readonly settings: EntitySettings
}

/** Where payments are taken: a leaf of the tree psp → division → merchant → channel. */
export interface Channel {
  readonly id: string
  readonly merchant: string
  readonly name: string
  readonly settings: ChannelSettings
  /** What its payments are judged by; undefined: nothing is checked. */
  readonly risk: PreparedRules | undefined
}

/** The risk rules that hold for an entity, and the entity, itself or one above it, that they were set for. */
export interface EffectiveRules {
  readonly entityId: string
  readonly set: RiskRuleSet
}

/** Who calls: the entity whose subtree the access token reaches. */
export interface Caller {
  readonly tokenId: string
  readonly entityId: string
}

/** missing: no usable Authorization header (401). unknown: a token that is not, or no longer, valid (403). */
export type Authentication = Caller | 'missing' | 'unknown'

/** Entities, their risk rules and access tokens, held in memory: every request needs them and few of them ever change. */
export interface Directory {
  authenticate(authorization: string | undefined, nowMs: number): Authentication
  /**
   * The channels that `entityId` stands for, in order of creation: a channel for itself, a merchant with dispatching
   * for all of its channels. Empty where it does not exist or the caller does not reach it: the two look the same.
   */
  channelsFor(caller: Caller, entityId: string): readonly Channel[]
  /** Whether `entityId` is `above` or lies below it. */
  reaches(above: string, entityId: string): boolean
  channel(id: string): Channel | undefined
  entity(id: string): Entity | undefined
  entities(): readonly Entity[]
  tokens(): readonly AccessTokenRow[]
  /** The nearest rules: the entity's own, or those of what is above it. */
  riskRules(entityId: string): EffectiveRules | undefined
  putEntity(row: EntityRow): void
  putToken(row: AccessTokenRow): void
  putRiskRules(row: RiskRulesRow): void
}

/**
 * @param storage is read once, here; later changes come through putEntity, putToken and putRiskRules after their commit
 * @param hash the keyed hash under which tokens are stored
 */
export async function openDirectory(storage: Storage, hash: (token: string) => Uint8Array): Promise<Directory> {
  const entities = new Map<string, Entity>()
  const tokens = new Map<string, AccessTokenRow>()
  const tokensByHash = new Map<string, AccessTokenRow>()
  const channels = new Map<string, Channel>()
  const riskRules = new Map<string, { readonly set: RiskRuleSet; readonly prepared: PreparedRules }>()
  /** Headers that were good a moment ago, so that a busy merchant's token is not hashed for every request. */
  const recent = new Map<string, AccessTokenRow>()

  const ancestry = (id: string): Entity[] => {
    const chain: Entity[] = []
    for (let at = entities.get(id); at && chain.length < limits.entityDepthMax; at = entities.get(at.parent_id ?? ''))
      chain.push(at)
    return chain
  }
  const reaches = (above: string, id: string) => ancestry(id).some((entity) => entity.id === above)

  /** The nearest entity, from `id` upwards, that has risk rules of its own. */
  const judgeOf = (id: string) => ancestry(id).find((entity) => riskRules.has(entity.id))?.id

  const rebuildChannels = () => {
    channels.clear()
    for (const entity of entities.values()) {
      if (entity.kind !== 'channel') continue
      const chain = ancestry(entity.id).map((ancestor) => ancestor.settings)
      const settings = channelSettings(chain.toReversed())
      const risk = riskRules.get(judgeOf(entity.id) ?? '')?.prepared
      channels.set(entity.id, { id: entity.id, merchant: entity.merchant, name: entity.name, settings, risk })
    }
  }
  const put = (row: EntityRow) => entities.set(row.id, { ...row, settings: readEntitySettings(row.settings) })
  const putRules = ({ entity_id: id, rules }: RiskRulesRow) => {
    if (rules === null) return void riskRules.delete(id)
    const set = readRiskRules(rules)
    riskRules.set(id, { set, prepared: prepareRules(set) })
  }
  const putToken = (row: AccessTokenRow) => {
    recent.clear()
    tokens.set(row.id, row)
    tokensByHash.set(keyOf(row.hash), row)
  }

  const inOrder = (await storage.entities()).toSorted((a, b) => a.created_at_ms - b.created_at_ms)
  for (const row of inOrder) put(row)
  for (const row of await storage.riskRules()) putRules(row)
  for (const row of await storage.accessTokens()) putToken(row)
  rebuildChannels()

  return {
    authenticate(authorization, nowMs) {
      const row = (authorization && recent.get(authorization)) || rowOf(authorization)
      if (typeof row === 'string') return row
      if (row.revoked_at_ms !== null && row.revoked_at_ms <= nowMs) return 'unknown'
      if (row.expires_at_ms !== null && row.expires_at_ms <= nowMs) return 'unknown'
      return { tokenId: row.id, entityId: row.entity_id }

      function rowOf(header: string | undefined): AccessTokenRow | 'missing' | 'unknown' {
        const token = bearerToken(header)
        if (header === undefined || token === undefined) return 'missing'
        const hashed = hash(token)
        const found = tokensByHash.get(keyOf(hashed))
        if (!found || !timingSafeEqual(found.hash, hashed)) return 'unknown'
        if (header.length > limits.recentHeaderCharsMax) return found
        if (recent.size >= limits.recentHeadersMax) recent.clear()
        recent.set(header, found)
        return found
      }
    },
    channelsFor(caller, entityId) {
      const entity = entities.get(entityId)
      if (!entity || !reaches(caller.entityId, entityId)) return []
      const channel = channels.get(entityId)
      if (channel) return [channel]
      if (entity.kind !== 'merchant' || !entity.settings.dispatching) return []
      return [...channels.values()].filter((one) => one.merchant === entityId)
    },
    reaches,
    channel: (id) => channels.get(id),
    entity: (id) => entities.get(id),
    entities: () => [...entities.values()],
    tokens: () => [...tokens.values()],
    riskRules(entityId) {
      const judge = judgeOf(entityId)
      const found = judge === undefined ? undefined : riskRules.get(judge)
      return judge === undefined || !found ? undefined : { entityId: judge, set: found.set }
    },
    putEntity(row) {
      put(row)
      rebuildChannels()
    },
    putToken,
    putRiskRules(row) {
      putRules(row)
      rebuildChannels()
    },
  }
}

/** "Authorization header with the Bearer scheme and an access token" (contract, Authentication 2); HTTP bounds it. */
function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  const space = authorization.indexOf(' ')
  if (space < 0 || authorization.slice(0, space).toLowerCase() !== 'bearer') return undefined
  return authorization.slice(space + 1).trim() || undefined
}

function keyOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1')
}
