import { activeSchemes, brands, countries, currencies, servedOperations } from '@tollgate/contract'
import { bicCountry, isCreditorId, isTimeZone, limits as domainLimits, readIban } from '@tollgate/domain'
import { Type, type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { authenticationSettings, isReadyForAnyNetwork, missingSettings } from './authentication-settings.ts'
import { limits } from '../limits.ts'

/** One setting of entities. */
interface Setting<S extends TSchema, V> {
  readonly schema: S
  /** Computes the value of an entity from the values set from its psp down to itself, or the default if none is set. */
  readonly inherit: (values: readonly Static<S>[]) => V
  /** The explanation in the guide for operators. */
  readonly description: string
}

const setting = <S extends TSchema, V>(
  schema: S,
  inherit: (values: readonly Static<S>[]) => V,
  description: string,
): Setting<S, V> => ({ schema, inherit, description })

/** The value of the nearest entity applies. */
const nearest =
  <const V>(defaultValue: V) =>
  <T>(values: readonly T[]): T | V =>
    values.at(-1) ?? defaultValue

/** The list of the nearest entity applies; undefined: not restricted. */
const nearestSet = (lists: readonly (readonly string[])[]): ReadonlySet<string> | undefined => {
  const list = lists.at(-1)
  return list && new Set(list)
}

/** Each member is inherited separately. */
const merged = <T extends object>(values: readonly T[]): T => Object.assign({}, ...values)

const oneOf = <const T extends string>(...values: readonly T[]) =>
  Type.Unsafe<T>(Type.Union(values.map((value) => Type.Literal(value))))

const listOf = (item: Type.TStringOptions) => Type.Array(Type.String(item), { maxItems: limits.settingItemsMax })

/** An object whose members are all optional. Whether absent members are inherited depends on the setting. */
const partial = <T extends Type.TProperties>(members: T) =>
  Type.Partial(Type.Object(members), { additionalProperties: false })

/** An integer from 1 to `maximum`, or `off`. A single schema has both types, so that an error names both. */
const upTo = (maximum: number) =>
  Type.Unsafe<number | 'off'>({ type: ['integer', 'string'], minimum: 1, maximum, pattern: '^off$' })

type DeclineBound = keyof typeof domainLimits.declinesMax
type DeclineBounds = Readonly<Record<DeclineBound, number>>

/** The limits of declined attempts; Infinity: unlimited. */
function declineBounds(values: readonly Partial<Readonly<Record<DeclineBound, number | 'off'>>>[]): DeclineBounds {
  const bounds = { ...domainLimits.declinesMax, ...merged(values) }
  const boundOf = (bound: number | 'off') => (bound === 'off' ? Infinity : bound)
  return { checkout: boundOf(bounds.checkout), card: boundOf(bounds.card), address: boundOf(bounds.address) }
}

/** An http(s) origin, or the scheme of an app; not a scheme whose URLs a browser executes. */
const ORIGIN = `^(https?://[^/?#@\\\\\\s\\x00-\\x1f\\x7f]+|(?!(?:${activeSchemes.join('|')}):)[a-z][a-z0-9+.-]*:)$`

/** The settings of entities. Schema, type, inheritance, defaults and the guide for operators follow from this table. */
export const entitySettingTable = {
  enabled: setting(
    Type.Boolean(),
    (values) => !values.includes(false),
    'Whether payments are accepted. `false` also disables every entity below.',
  ),
  compatibility: setting(
    oneOf('strict', 'legacy'),
    nearest('strict'),
    '`strict`: requests must follow the contract exactly. `legacy` also accepts [requests of older ' +
      'platforms](move-existing-clients.md), and logins in parameters.',
  ),
  brands: setting(listOf({ enum: Object.keys(brands) }), nearestSet, 'The accepted payment brands. Unset: all.'),
  currencies: setting(listOf({ enum: Object.keys(currencies) }), nearestSet, 'The accepted currencies. Unset: all.'),
  threeDSecure: setting(
    oneOf('off', 'enrolled', 'always'),
    nearest('off'),
    '[3-D Secure](three-d-secure.md): `off`, `always`, or `enrolled`: for enrolled cards, in requests that allow a ' +
      'redirect.',
  ),
  unauthenticated: setting(
    oneOf('continue', 'fail'),
    nearest('continue'),
    'If the shopper could not be authenticated: `continue` without a proof, or `fail`.',
  ),
  authentication: setting(
    authenticationSettings,
    merged,
    'The 3-D Secure requestor: [below](#3-d-secure). Each value is inherited separately.',
  ),
  pointOfSale: setting(
    Type.Boolean(),
    nearest(false),
    'Whether terminals use the channel: a card that a terminal read (`pos.entryMode`) needs no 3-D Secure. ' +
      'Any server with a token of the channel can send that parameter, so give terminals a channel of their own.',
  ),
  offlineSales: setting(
    Type.Boolean(),
    nearest(false),
    'Whether [sales that card and terminal have approved offline](terminals.md#offline-sales) are accepted. The ' +
      'acquirer is informed of them, and cannot decline them for lack of funds.',
  ),
  verifyRegistrations: setting(
    Type.Boolean(),
    nearest(false),
    'Whether an acquirer verifies every card that is registered without a payment; otherwise only on request.',
  ),
  shopperResultOrigins: setting(
    listOf({ pattern: ORIGIN, maxLength: 255 }),
    nearestSet,
    'The allowed destinations of `shopperResultUrl`: origins such as `https://shop.example`, for apps ' +
      'schemes such as `shop:`. Unset: all.',
  ),
  checkoutStatusWithoutLogin: setting(
    Type.Boolean(),
    nearest(false),
    'On a legacy channel: anybody with the id of a checkout can read [its status](checkouts.md#checkouts), ' +
      'with all its data, without an access token. Each change is logged with `audit`.',
  ),
  lateApproval: setting(
    oneOf('accept', 'reverse'),
    nearest('accept'),
    'If a bank approves a payment after [its expiry](checkouts.md#redirect-payments): `accept` with ' +
      '000.600.000, or `reverse`, which refunds it.',
  ),
  dispatching: setting(
    Type.Boolean(),
    nearest(false),
    'On a merchant: its own id may be sent as `entityId`; the first channel that accepts brand and currency ' +
      'is used.',
  ),
  bankAccount: setting(
    Type.Object(
      // The formats of merchant.bankAccount.* (contract, Response fields), in upper case.
      {
        holder: Type.String({ minLength: 4, maxLength: 128 }),
        number: Type.Optional(Type.String({ pattern: '^[A-Z0-9]{3,64}$' })),
        bic: Type.Optional(Type.String({ pattern: '^[A-Z0-9]{8}([A-Z0-9]{3})?$' })),
        country: Type.Optional(Type.String({ enum: Object.keys(countries) })),
      },
      { additionalProperties: false },
    ),
    nearest(undefined),
    'The merchant\'s account: `{"holder","number","bic","country"}`, only the holder is required. Part of ' +
      'answers about payments and registrations as `merchant.bankAccount`.',
  ),
  sepaCreditor: setting(
    partial({ name: Type.String({ minLength: 1, maxLength: 70 }), id: Type.String({ maxLength: 35 }) }),
    nearest<{ name?: string; id?: string }>({}),
    '`{"name","id"}`: the creditor in the direct debit mandate of the payment form. `id` is the creditor ' +
      'identifier, such as `DE98ZZZ09999999999`. Without a name, the `holder` of `bankAccount` is used. ' +
      'The setting is inherited as a whole.',
  ),
  uniqueMerchantTransactionId: setting(
    Type.Boolean(),
    nearest(false),
    'A payment with the `merchantTransactionId` of an approved or pending payment of the channel is refused ' +
      'with 800.130.100.',
  ),
  duplicateWindowSeconds: setting(
    Type.Integer({ minimum: 0, maximum: limits.duplicateWindowSecondsMax }),
    nearest(0),
    'During this time a payment (also a rebill RB) with the same account, amount, currency and ' +
      '`merchantTransactionId` as an approved or pending payment of the channel is refused with 800.110.100. ' +
      '0: never.',
  ),
  partialApproval: setting(
    Type.Boolean(),
    nearest(false),
    'A preauthorisation or debit may be approved for a part of its amount, with 000.000.001; otherwise such ' +
      'an approval is reversed, with 800.100.155.',
  ),
  clearingCutOffHours: setting(
    Type.Number({ minimum: 0, maximum: limits.clearingCutOffHoursMax }),
    nearest(24),
    'Time limit for the reversal of a debit, capture or rebill (`RB`).',
  ),
  timeZone: setting(
    Type.String({ maxLength: limits.timeZoneCharsMax }),
    nearest('UTC'),
    'Time zone (IANA, such as `Europe/Berlin`) of new [plans](schedules.md). Existing plans keep theirs ' +
      'until their job is changed.',
  ),
  missedRuns: setting(
    oneOf('ONCE', 'ALL', 'NONE'),
    nearest('ONCE'),
    'Handling of [missed runs](schedules.md#missed-runs): `ONCE`, `ALL` or `NONE`.',
  ),
  retentionDays: setting(
    Type.Integer({ minimum: 1, maximum: limits.retentionDaysMax }),
    nearest(undefined),
    'Days until the account number of a payment is erased permanently. Unset: 14 months after the card ' +
      'expires. The payment stays and can be refunded, but not rebilled (`RB`). Registrations have [a ' +
      'retention of their own](integrate.md#registrations).',
  ),
  declines: setting(
    partial({ checkout: upTo(limits.declinesMax), card: upTo(limits.declinesMax), address: upTo(limits.declinesMax) }),
    declineBounds,
    'Limits of declined attempts by shoppers, who need no token: per checkout, and per hour and channel by ' +
      'card and by address (of IPv6, one /64). `off` removes a limit; each is inherited separately. Replicas ' +
      'count together. Raise `address` if many shoppers share a proxy that is not in `TOLLGATE_TRUSTED_PROXY`.',
  ),
  throttle: setting(
    partial(Object.fromEntries(servedOperations.map((name) => [name, upTo(limits.requestsPerMinuteMax)]))),
    merged,
    'Requests per minute by operation, or `off`: `{"createPayment":600,"getPayment":"off"}`. Each operation ' +
      'is inherited separately; the defaults are in [Throttling](../reference/throttling.md).',
  ),
}

type Table = typeof entitySettingTable
const table: Readonly<Record<string, Setting<TSchema, unknown>>> = entitySettingTable
const rows = Object.entries(table)

const schemaOf = (map: (schema: TSchema) => TSchema) =>
  partial(Object.fromEntries(rows.map(([name, { schema }]) => [name, map(schema)])))

/** The settings of an entity. */
export type EntitySettings = { [Name in keyof Table]?: Static<Table[Name]['schema']> }
export const entitySettings = Type.Unsafe<EntitySettings>(schemaOf((schema) => schema))

/** A change of settings: null resets a setting to its inherited value; absent settings do not change. */
type SettingsChange = { [Name in keyof EntitySettings]: EntitySettings[Name] | null }
export const settingsChange = Type.Unsafe<SettingsChange>(schemaOf((schema) => Type.Union([schema, Type.Null()])))

/** The error of settings that satisfy the schema, as a sentence; undefined: they are valid. */
export function settingsError({ bankAccount, sepaCreditor, timeZone }: EntitySettings): string | undefined {
  if (timeZone !== undefined && !isTimeZone(timeZone)) return 'settings.timeZone must be a name such as Europe/Berlin.'
  const { number, bic }: Partial<NonNullable<EntitySettings['bankAccount']>> = bankAccount ?? {}
  const iban = number === undefined ? undefined : readIban(new TextEncoder().encode(number))
  if (iban?.isValid === false) return 'settings.bankAccount.number looks like an IBAN, but is none: check its digits.'
  if (bic !== undefined && bicCountry(bic) === undefined) return 'settings.bankAccount.bic must be the BIC of a bank.'
  if (sepaCreditor?.id !== undefined && !isCreditorId(sepaCreditor.id)) {
    return 'settings.sepaCreditor.id must be a creditor identifier such as DE98ZZZ09999999999: check its digits.'
  }
  return undefined
}

/** The missing authentication settings of a channel in live, as a sentence; undefined: none is missing. */
export function threeDSecureSettingsError({ threeDSecure, authentication }: ChannelSettings): string | undefined {
  if (threeDSecure === 'off' || isReadyForAnyNetwork(authentication)) return undefined
  return `settings.threeDSecure needs settings.authentication first: ${missingSettings(authentication).join(', ')}.`
}

/** Effective settings: an entity's own, the inherited ones and defaults. */
export type ChannelSettings = { readonly [Name in keyof Table]: ReturnType<Table[Name]['inherit']> }

/**
 * The effective settings of an entity.
 *
 * @param chain the settings of the entities from the psp down to the entity itself
 */
export function channelSettings(chain: readonly EntitySettings[]): ChannelSettings {
  const valuesByName = new Map<string, unknown[]>()
  for (const [name, value] of chain.flatMap((settings) => Object.entries(settings))) {
    const values = valuesByName.get(name)
    if (values) values.push(value)
    else valuesByName.set(name, [value])
  }
  const inherited: ChannelSettings = Object.assign(
    {},
    ...rows.map(([name, { inherit }]) => ({ [name]: inherit(valuesByName.get(name) ?? []) })),
  )
  const { compatibility, checkoutStatusWithoutLogin, sepaCreditor, bankAccount } = inherited
  return {
    ...inherited,
    checkoutStatusWithoutLogin: compatibility === 'legacy' && checkoutStatusWithoutLogin,
    sepaCreditor: bankAccount ? { name: bankAccount.holder, ...sepaCreditor } : sepaCreditor,
  }
}

/** Settings after a change, in their stored form. */
export function changedSettings(settings: EntitySettings, change: SettingsChange = {}): string {
  const remaining = Object.entries({ ...settings, ...change }).filter(([, value]) => value !== null)
  return JSON.stringify(Object.fromEntries(remaining))
}

/** Reads stored settings. Throws if they do not satisfy the schema. */
export function readEntitySettings(text: string): EntitySettings {
  return Value.Parse(entitySettings, JSON.parse(text))
}
