import type { Login } from '@tollgate/contract'
import type { Right } from '@tollgate/domain'
import type { AccessTokenRow, EntityRow, RiskRulesRow } from '@tollgate/storage'
import type { PreparedRules, RiskRuleSet } from './risk-rules.ts'
import type { ChannelSettings, EntitySettings } from './entity-settings.ts'

export interface Entity extends Omit<EntityRow, 'settings'> {
  readonly settings: EntitySettings
}

/** Where payments are taken: a leaf of the tree psp → division → merchant → channel. */
export interface Channel {
  readonly id: string
  readonly merchant: string
  readonly name: string
  readonly settings: ChannelSettings
  /** The risk rules for its payments; undefined: there are none. */
  readonly risk: PreparedRules | undefined
}

/** Settings for requests with an entity's tokens. */
export interface TenantTerms {
  /** The tenant for fair queues: the merchant that the entity is or belongs to, or the entity above. */
  readonly party: string
  readonly throttle: ChannelSettings['throttle']
  /** Whether it, or every channel below it, is `compatibility: legacy`. */
  readonly isLegacy: boolean
}

/** The risk rules that apply to an entity, and the entity, itself or one above it, that sets them. */
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
export type CallerOrReason = Caller | 'missing' | 'unknown'

/** Entities, risk rules and access tokens in memory: every request needs them, and few of them ever change. */
export interface Directory {
  authenticate(authorization: string | undefined, nowMs: number): CallerOrReason
  /**
   * The caller by the parameters of older clients: the user and password that a token is made of. Missing unless it is
   * whole and names an entity all of whose channels are legacy.
   */
  logIn(login: Login | undefined, nowMs: number): CallerOrReason
  /** Whether there is any channel that logins are for. */
  takesLogins(): boolean
  /**
   * The channels that `entityId` stands for, in order of creation: a channel for itself, a merchant with dispatching
   * for all of its channels. Empty if it does not exist or is out of the caller's reach: the two look the same.
   */
  channelsFor(caller: Caller, entityId: string): readonly Channel[]
  /** Whether `entityId` is `above` or below it. */
  reaches(above: string, entityId: string): boolean
  channel(id: string): Channel | undefined
  termsOf(entityId: string): TenantTerms
  entity(id: string): Entity | undefined
  entities(): readonly Entity[]
  tokens(): readonly AccessTokenRow[]
  /**
   * Whether an entity is the sandbox's, or below one that is, while the sandbox is off: it has no channels, and its
   * tokens and logins are not valid, because the token of the sandbox is published.
   */
  isVoid(entityId: string): boolean
  /** The nearest rules: the entity's own, or those of the nearest entity above. */
  riskRules(entityId: string): EffectiveRules | undefined
  /** Refreshes all of them after a change by another process. */
  reload(): Promise<void>
  putEntity(row: EntityRow): void
  putToken(row: AccessTokenRow): void
  putRiskRules(row: RiskRulesRow): void
}
