import type { Login } from '@tollgate/contract'
import type { Right, Route } from '@tollgate/domain'
import type { AccessTokenRow, EntityRow, RiskRulesRow, RouteListRow } from '@tollgate/storage'
import type { PreparedRules, RiskRuleSet } from './risk-rules.ts'
import type { EffectiveRoutes } from './routes.ts'
import type { ChannelSettings, EntitySettings } from './entity-settings.ts'

export interface Entity extends Omit<EntityRow, 'settings'> {
  readonly settings: EntitySettings
}

/** An entity with payments, at the bottom of the hierarchy psp → division → merchant → channel. */
export interface Channel {
  readonly id: string
  readonly merchant: string
  readonly name: string
  readonly settings: ChannelSettings
  /** The risk rules of the channel's payments; undefined: there are none. */
  readonly risk: PreparedRules | undefined
  /** The routes of the channel's payments, in order; undefined: there are none. */
  readonly routes: readonly Route[] | undefined
  readonly environment: 'test' | 'live'
}

/** Settings for requests with an entity's tokens. */
export interface TenantSettings {
  /** The tenant for fair queues: the merchant that the entity is or belongs to; above merchants, the entity itself. */
  readonly tenant: string
  readonly throttle: ChannelSettings['throttle']
  /**
   * Whether every channel of the entity (itself, or those below it) has `compatibility: legacy`; false if there is no
   * channel.
   */
  readonly isLegacy: boolean
}

/** The risk rules that apply to an entity, and the entity that sets them: the entity itself, or one above. */
export interface EffectiveRules {
  readonly entityId: string
  readonly set: RiskRuleSet
}

/**
 * Whether all channels have `compatibility: legacy`. The channel of a payment is selected after its parameters are
 * checked, so legacy parameters are accepted only if all possible channels accept them.
 */
export function areLegacy(channels: readonly Channel[]): boolean {
  return channels.length > 0 && channels.every(({ settings }) => settings.compatibility === 'legacy')
}

/** The caller of a request. */
export interface Caller {
  readonly tokenId: string
  /** The entity of the token or of the login. The caller has access to it and everything below it. */
  readonly entityId: string
  readonly rights: readonly Right[]
  /**
   * The IP address of a shopper, who sends no token; for IPv6, the /64. Undefined for a caller with a token, and once
   * the connection is closed.
   */
  readonly shopperAddress?: string | undefined
}

/**
 * missing: no usable Authorization header or login (401). unknown: the token is unknown, expired, revoked or void, or
 * does not reach the entity of the login (403).
 */
export type CallerOrReason = Caller | 'missing' | 'unknown'

/** Entities, risk rules, routes and access tokens in memory: every request needs them, and they rarely change. */
export interface Directory {
  authenticate(authorization: string | undefined, nowMs: number): CallerOrReason
  /**
   * The caller by the login parameters of older clients: user and password, from which a token is derived. `missing`
   * unless the login is complete and all channels of its entity are legacy.
   */
  logIn(login: Login | undefined, nowMs: number): CallerOrReason
  /** Whether any channel accepts logins. */
  acceptsLogins(): boolean
  /**
   * The channels of `entityId`, in order of creation: a channel itself, or all channels of a merchant with dispatching;
   * other entities have none. Empty if the entity does not exist or the caller does not reach it, which callers cannot
   * distinguish.
   */
  channelsFor(caller: Caller, entityId: string): readonly Channel[]
  /** Whether `entityId` equals `ancestorId` or is below it. */
  reaches(ancestorId: string, entityId: string): boolean
  channel(id: string): Channel | undefined
  tenantSettingsOf(entityId: string): TenantSettings
  entity(id: string): Entity | undefined
  entities(): readonly Entity[]
  tokens(): readonly AccessTokenRow[]
  /**
   * Whether an entity belongs to the sandbox, or is below one that does, while the sandbox is off. Such an entity has
   * no channels, and its tokens and logins are not valid, because the token of the sandbox is published.
   */
  isVoid(entityId: string): boolean
  /** The entity's own rules, or those of the nearest entity above. */
  riskRules(entityId: string): EffectiveRules | undefined
  /** The entity's own routes, or those of the nearest entity above. */
  routes(entityId: string): EffectiveRoutes | undefined
  /** The routes of every entity that has routes of its own. */
  routeSets(): readonly EffectiveRoutes[]
  /** Reads all rows again, after a change by another process. */
  reload(): Promise<void>
  putEntity(row: EntityRow): void
  putToken(row: AccessTokenRow): void
  putRiskRules(row: RiskRulesRow): void
  putRoutes(row: RouteListRow): void
}
