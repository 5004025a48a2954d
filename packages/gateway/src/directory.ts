import type { Login } from '@tollgate/contract'
import { isRight, type Right } from '@tollgate/domain'
import type { AccessTokenRow, EntityRow, RiskRulesRow, Storage } from '@tollgate/storage'
import { accessTokenOf } from './access-token.ts'
import { createAccessTokens } from './access-tokens.ts'
import { held } from './held.ts'
import { limits } from './limits.ts'
import { isOfSandbox } from './sandbox.ts'
import { prepareRules, type PreparedRules, readRiskRules, type RiskRuleSet } from './risk-rules.ts'
import {
  channelSettings,
  readEntitySettings,
  throttleSettings,
  type ChannelSettings,
  type EntitySettings,
} from './settings.ts'

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

/** Settings for requests with an entity's tokens. */
export interface Terms {
  /** Who shares what there is with all others: the merchant that the entity is or belongs to, or the entity above. */
  readonly party: string
  readonly throttle: NonNullable<EntitySettings['throttle']>
  /** Whether every channel that it is or that lies below it is `compatibility: legacy`. */
  readonly isLegacy: boolean
}

/** The risk rules that hold for an entity, and the entity, itself or one above it, that they were set for. */
export interface EffectiveRules {
  readonly entityId: string
  readonly set: RiskRuleSet
}

/**
 * Whether all of them are `compatibility: legacy`. Which of several will pay is not known while a request is read: what
 * older clients may send goes only where all would take it.
 */
export function areLegacy(channels: readonly Channel[]): boolean {
  return channels.length > 0 && channels.every(({ settings }) => settings.compatibility === 'legacy')
}

/** Who calls: the entity whose subtree is reached. Of a token its own, of a login the one that was named. */
export interface Caller {
  readonly tokenId: string
  readonly entityId: string
  readonly rights: readonly Right[]
  /** Of a shopper, who sends no token: the address, of IPv6 the network. Undefined once the connection is gone. */
  readonly shopperAddress?: string | undefined
}

/** missing: no usable Authorization header or login (401). unknown: a token that is not, or no longer, valid (403). */
export type Authentication = Caller | 'missing' | 'unknown'

/** Entities, risk rules and access tokens, held in memory: every request needs them and few of them ever change. */
export interface Directory {
  authenticate(authorization: string | undefined, nowMs: number): Authentication
  /**
   * The caller by the parameters of older clients: the user and password that a token is made of. Missing unless it is
   * whole and names an entity all of whose channels are legacy.
   */
  logIn(login: Login | undefined, nowMs: number): Authentication
  /** Whether there is any channel that logins are for. */
  takesLogins(): boolean
  /**
   * The channels that `entityId` stands for, in order of creation: a channel for itself, a merchant with dispatching
   * for all of its channels. Empty where it does not exist or the caller does not reach it: the two look the same.
   */
  channelsFor(caller: Caller, entityId: string): readonly Channel[]
  /** Whether `entityId` is `above` or lies below it. */
  reaches(above: string, entityId: string): boolean
  channel(id: string): Channel | undefined
  termsOf(entityId: string): Terms
  entity(id: string): Entity | undefined
  entities(): readonly Entity[]
  tokens(): readonly AccessTokenRow[]
  /**
   * Whether an entity is the sandbox's, or lies below one that is, while the sandbox is off: it has no channels and its
   * tokens and logins are not valid, because the token of the sandbox is published.
   */
  isVoid(entityId: string): boolean
  /** The nearest rules: the entity's own, or those of what is above it. */
  riskRules(entityId: string): EffectiveRules | undefined
  /** Reads all of them anew: another process has changed some. */
  reload(): Promise<void>
  putEntity(row: EntityRow): void
  putToken(row: AccessTokenRow): void
  putRiskRules(row: RiskRulesRow): void
}

/**
 * @param storage is read here, and by reload; this process's own changes come through putEntity, putToken and
 *   putRiskRules after their commit
 * @param hash the keyed hash under which tokens are stored
 * @param hasSandbox whether the sandbox is on
 */
export async function openDirectory(
  storage: Storage,
  hash: (token: string | Uint8Array) => Uint8Array,
  hasSandbox = true,
): Promise<Directory> {
  const entities = new Map<string, Entity>()
  const tokens = createAccessTokens(hash)
  const channels = new Map<string, Channel>()
  /** Made when they are first asked for. */
  const terms = new Map<string, Terms>()
  const voidIds = new Set<string>()
  const riskRules = new Map<string, { readonly set: RiskRuleSet; readonly prepared: PreparedRules }>()
  let takesLogins = false

  const ancestry = (id: string): Entity[] => {
    const chain: Entity[] = []
    for (let at = entities.get(id); at && chain.length < limits.entityDepthMax; at = entities.get(at.parent_id ?? ''))
      chain.push(at)
    return chain
  }
  /** Without a list of them: every request asks. */
  const reaches = (above: string, id: string): boolean => {
    let at = entities.get(id)
    for (let depth = 0; at && at.id !== above && depth < limits.entityDepthMax; depth += 1) {
      at = entities.get(at.parent_id ?? '')
    }
    return at?.id === above
  }
  const channelsOf = (entityId: string): readonly Channel[] => {
    if (voidIds.has(entityId)) return []
    const channel = channels.get(entityId)
    if (channel) return [channel]
    const entity = entities.get(entityId)
    if (entity?.kind !== 'merchant' || !entity.settings.dispatching) return []
    return [...channels.values()].filter((one) => one.merchant === entityId)
  }

  /** The nearest entity, from `id` upwards, that has risk rules of its own. */
  const judgeOf = (id: string) => ancestry(id).find((entity) => riskRules.has(entity.id))?.id

  const rebuildChannels = () => {
    channels.clear()
    terms.clear()
    voidIds.clear()
    for (const entity of entities.values()) {
      const lineage = ancestry(entity.id)
      if (!hasSandbox && lineage.some(isOfSandbox)) voidIds.add(entity.id)
      if (entity.kind !== 'channel') continue
      const chain = lineage.map((ancestor) => ancestor.settings)
      const settings = channelSettings(chain.toReversed())
      const risk = riskRules.get(judgeOf(entity.id) ?? '')?.prepared
      channels.set(entity.id, { id: entity.id, merchant: entity.merchant, name: entity.name, settings, risk })
    }
    takesLogins = [...channels.values()].some((channel) => areLegacy([channel]) && !voidIds.has(channel.id))
  }
  const put = (row: EntityRow) => entities.set(row.id, { ...row, settings: readEntitySettings(row.settings) })
  const putRules = ({ entity_id: id, rules }: RiskRulesRow) => {
    if (rules === null) return void riskRules.delete(id)
    const set = readRiskRules(rules)
    riskRules.set(id, { set, prepared: prepareRules(set) })
  }

  const isUsable = (row: AccessTokenRow, nowMs: number) => isValid(row, nowMs) && !voidIds.has(row.entity_id)

  const { reload, changed } = held(
    () => Promise.all([storage.entities(), storage.riskRules(), storage.accessTokens()]),
    ([rows, rules, known]) => {
      // None of them is ever removed.
      for (const row of rows.toSorted((a, b) => a.created_at_ms - b.created_at_ms)) put(row)
      for (const row of rules) putRules(row)
      for (const row of known) tokens.put(row)
      rebuildChannels()
    },
  )
  await reload()

  return {
    authenticate(authorization, nowMs) {
      const row = tokens.ofHeader(authorization)
      if (typeof row === 'string') return row
      return isUsable(row, nowMs) ? { tokenId: row.id, entityId: row.entity_id, rights: rightsOf(row) } : 'unknown'
    },
    logIn(login, nowMs) {
      const { entityId, userId, password } = login ?? {}
      if (entityId === undefined || userId === undefined || password === undefined) return 'missing'
      if (!areLegacy(channelsOf(entityId))) return 'missing'
      const token = accessTokenOf(userId, password)
      const row = token.use((bytes) => tokens.ofToken(bytes))
      token.wipe()
      if (row === 'unknown' || !isUsable(row, nowMs) || !reaches(row.entity_id, entityId)) return 'unknown'
      return { tokenId: row.id, entityId, rights: rightsOf(row) }
    },
    takesLogins: () => takesLogins,
    channelsFor: (caller, entityId) => (reaches(caller.entityId, entityId) ? channelsOf(entityId) : []),
    reaches,
    channel: (id) => channels.get(id),
    termsOf(entityId) {
      const known = terms.get(entityId)
      if (known) return known
      const party = entities.get(entityId)?.merchant || entityId
      const chain = ancestry(entityId).map(({ settings }) => settings)
      const below = [...channels.values()].filter(({ id }) => reaches(entityId, id))
      const made = { party, throttle: throttleSettings(chain.toReversed()), isLegacy: areLegacy(below) }
      terms.set(entityId, made)
      return made
    },
    entity: (id) => entities.get(id),
    entities: () => [...entities.values()],
    tokens: () => tokens.all(),
    isVoid: (entityId) => voidIds.has(entityId),
    riskRules(entityId) {
      const judge = judgeOf(entityId)
      const found = judge === undefined ? undefined : riskRules.get(judge)
      return judge === undefined || !found ? undefined : { entityId: judge, set: found.set }
    },
    reload,
    putEntity(row) {
      changed()
      put(row)
      rebuildChannels()
    },
    putToken(row) {
      changed()
      tokens.put(row)
    },
    putRiskRules(row) {
      changed()
      putRules(row)
      rebuildChannels()
    },
  }
}

/** A revocation holds whatever the clock shows; only a planned end is compared with it. */
function isValid({ revoked_at_ms, expires_at_ms }: AccessTokenRow, nowMs: number): boolean {
  return revoked_at_ms === null && (expires_at_ms === null || expires_at_ms > nowMs)
}

/** Most tokens have none, and then there is nothing to read. */
export const rightsOf = ({ rights }: Pick<AccessTokenRow, 'rights'>): readonly Right[] =>
  rights === '' ? NONE : rights.split(' ').filter(isRight)

const NONE: readonly Right[] = []
