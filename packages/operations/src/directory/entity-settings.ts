import { activeSchemes, brands, countries, currencies, HOUR_MS, servedOperations } from '@tollgate/contract'
import { bicCountry, type CatchUp, isCreditorId, isTimeZone, limits as domainLimits, readIban } from '@tollgate/domain'
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import {
  type AuthenticationSettings,
  authenticationSettings,
  isReadyForAny,
  missingFor,
} from './authentication-settings.ts'
import { limits } from '../limits.ts'

/** An origin of the web, or the scheme of an app: none that a browser would run. */
const ORIGIN = `^(https?://[^/?#@\\\\\\s\\x00-\\x1f\\x7f]+|(?!(?:${activeSchemes.join('|')}):)[a-z][a-z0-9+.-]*:)$`

/** A number of requests, or `off`. One schema of both kinds: an error then says both things that would be right. */
const requests = Type.Unsafe<number | 'off'>({
  type: ['integer', 'string'],
  minimum: 1,
  maximum: limits.requestsAMinuteMax,
  pattern: '^off$',
})

const declines = Type.Unsafe<number | 'off'>({
  type: ['integer', 'string'],
  minimum: 1,
  maximum: limits.declinesMax,
  pattern: '^off$',
})

/**
 * What operators set on an entity. A channel inherits from its merchant, division and psp; the nearest value wins.
 * The table is also the schema that the management API checks.
 */
export const entitySettings = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean({ description: 'Whether payments are taken. Default: true.' })),
    compatibility: Type.Optional(
      Type.Union([Type.Literal('strict'), Type.Literal('legacy')], {
        description: 'legacy accepts what older clients of this wire format send. Default: strict.',
      }),
    ),
    brands: Type.Optional(
      Type.Array(Type.String({ enum: Object.keys(brands) }), {
        maxItems: limits.settingItemsMax,
        description: 'The payment brands taken. Default: all.',
      }),
    ),
    currencies: Type.Optional(
      Type.Array(Type.String({ enum: Object.keys(currencies) }), {
        maxItems: limits.settingItemsMax,
        description: 'Currencies taken. Default: all.',
      }),
    ),
    threeDSecure: Type.Optional(
      Type.Union([Type.Literal('off'), Type.Literal('enrolled'), Type.Literal('always')], {
        description:
          'enrolled: for cards that take part, on requests that can redirect (shopperResultUrl). Default: off.',
      }),
    ),
    unauthenticated: Type.Optional(
      Type.Union([Type.Literal('continue'), Type.Literal('fail')], {
        description:
          'What becomes of a payment whose shopper nobody could authenticate, because the card does not take part in ' +
          '3-D Secure or for technical reasons: it goes on without proof, or is refused. Default: continue.',
      }),
    ),
    authentication: Type.Optional(authenticationSettings),
    pointOfSale: Type.Optional(
      Type.Boolean({
        description:
          'Whether terminals pay on the channel: a card that one read (pos.entryMode) needs no 3-D Secure. ' +
          'Default: false.',
      }),
    ),
    verifyRegistrations: Type.Optional(
      Type.Boolean({
        description: 'Whether an acquirer verifies every card that is stored without a payment. Default: false.',
      }),
    ),
    shopperResultOrigins: Type.Optional(
      Type.Array(Type.String({ pattern: ORIGIN, maxLength: 255 }), {
        maxItems: limits.settingItemsMax,
        description:
          'Where shoppers may be sent back to: origins such as https://shop.example, of apps schemes such as shop:. ' +
          'Default: anywhere.',
      }),
    ),
    checkoutStatusWithoutLogin: Type.Optional(
      Type.Boolean({
        description:
          'With compatibility legacy: the id of a checkout suffices, without an access token, to read its status and ' +
          'all that was sent for it. Default: false.',
      }),
    ),
    lateApproval: Type.Optional(
      Type.Union([Type.Literal('accept'), Type.Literal('reverse')], {
        description:
          'What becomes of a payment that a bank approves after it had expired: it is taken (000.600.000), or given ' +
          'back. Default: accept.',
      }),
    ),
    dispatching: Type.Optional(
      Type.Boolean({
        description: 'On a merchant: its own id may be sent as entityId; the first fitting channel pays.',
      }),
    ),
    bankAccount: Type.Optional(
      Type.Object(
        // The formats of merchant.bankAccount.* (contract, Response fields), in upper case.
        {
          holder: Type.String({ minLength: 4, maxLength: 128 }),
          number: Type.Optional(Type.String({ pattern: '^[A-Z0-9]{3,64}$' })),
          bic: Type.Optional(Type.String({ pattern: '^[A-Z0-9]{8}([A-Z0-9]{3})?$' })),
          country: Type.Optional(Type.String({ enum: Object.keys(countries) })),
        },
        {
          additionalProperties: false,
          description:
            'The merchant’s account: in answers about payments and registrations as merchant.bankAccount. ' +
            'Default: none.',
        },
      ),
    ),
    sepaCreditor: Type.Optional(
      Type.Object(
        {
          name: Type.Optional(Type.String({ minLength: 1, maxLength: 70 })),
          id: Type.Optional(Type.String({ maxLength: 35 })),
        },
        {
          additionalProperties: false,
          description:
            'The creditor that the payment form names in the mandate of a direct debit. ' +
            'Default: the name is the holder of bankAccount.',
        },
      ),
    ),
    uniqueMerchantTransactionId: Type.Optional(
      Type.Boolean({
        description:
          'A second payment with a merchantTransactionId that an approved one has is refused. Default: false.',
      }),
    ),
    duplicateWindowSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.duplicateWindowSecondsMax,
        description:
          'How long a payment of the same account, amount, currency and merchantTransactionId as an approved one is ' +
          'refused. Default: 0, never.',
      }),
    ),
    partialApproval: Type.Optional(
      Type.Boolean({
        description:
          'A preauthorisation or debit may be approved for a part of its amount (000.000.001). Default: false.',
      }),
    ),
    clearingCutOffHours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: limits.clearingCutOffHoursMax,
        description: 'Hours in which a debit or capture can be reversed. Default: 24.',
      }),
    ),
    timeZone: Type.Optional(
      Type.String({
        maxLength: limits.timeZoneCharsMax,
        description:
          'The time zone (IANA) by whose clock new plans of charges run, such as Europe/Berlin. Default: UTC.',
      }),
    ),
    missedRuns: Type.Optional(
      Type.Union([Type.Literal('ONCE'), Type.Literal('ALL'), Type.Literal('NONE')], {
        description:
          'What is made up for of runs of plans that were missed: the newest, at most the newest 12, or none. ' +
          'Default: ONCE.',
      }),
    ),
    retentionDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.retentionDaysMax,
        description:
          'Days after which the account number of a payment is erased. Default: 14 months after the card expires.',
      }),
    ),
    declines: Type.Optional(
      Type.Object(
        { checkout: Type.Optional(declines), card: Type.Optional(declines), address: Type.Optional(declines) },
        {
          additionalProperties: false,
          description:
            'Declined attempts of shoppers that are taken: on one checkout, and in an hour and channel of one card ' +
            'and of one address, or off. Each is inherited by itself. Default: 10, 30 and 60.',
        },
      ),
    ),
    throttle: Type.Optional(
      Type.Object(Object.fromEntries(servedOperations.map((name) => [name, Type.Optional(requests)])), {
        additionalProperties: false,
        description:
          'Requests in a minute that tokens of the entity may send, by operation, or off. Each operation is ' +
          'inherited by itself. Default: what holds for the environment.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** A change of settings: those that are named are set, null takes one back to what it inherits, others stay. */
export const settingsChange = Type.Object(
  Object.fromEntries(
    Object.entries(entitySettings.properties).map(([name, setting]) => [
      name,
      Type.Optional(Type.Union([setting, Type.Null()])),
    ]),
  ),
  { additionalProperties: false },
)

export type EntitySettings = Static<typeof entitySettings>

/** What is wrong with settings that satisfy the schema, in one sentence; undefined if nothing is. */
export function wrongSetting({ bankAccount, sepaCreditor, timeZone }: EntitySettings): string | undefined {
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

/** What a channel of the live environment lacks to authenticate shoppers, in one sentence; undefined: nothing. */
export function notReadyForThreeDSecure({ threeDSecure, authentication }: ChannelSettings): string | undefined {
  if (threeDSecure === 'off' || isReadyForAny(authentication)) return undefined
  return `settings.threeDSecure needs settings.authentication first: ${missingFor(authentication).join(', ')}.`
}

/** A channel's settings with every default filled in. */
export interface ChannelSettings {
  readonly enabled: boolean
  readonly compatibility: 'strict' | 'legacy'
  /** undefined: every brand. */
  readonly brands: ReadonlySet<string> | undefined
  readonly currencies: ReadonlySet<string> | undefined
  readonly threeDSecure: 'off' | 'enrolled' | 'always'
  readonly unauthenticated: 'continue' | 'fail'
  readonly authentication: AuthenticationSettings
  readonly pointOfSale: boolean
  /** Of a legacy channel only. */
  readonly checkoutStatusWithoutLogin: boolean
  readonly lateApproval: 'accept' | 'reverse'
  /** undefined: anywhere. */
  readonly shopperResultOrigins: ReadonlySet<string> | undefined
  /** merchant.bankAccount.* of answers, as it stands in them. */
  readonly bankAccount: Readonly<Record<string, string>> | undefined
  /** Name and creditor identifier that a mandate of a direct debit names. */
  readonly sepaCreditor: { readonly name: string | undefined; readonly id: string | undefined }
  readonly verifyRegistrations: boolean
  readonly uniqueMerchantTransactionId: boolean
  /** 0: no duplicate is refused. */
  readonly duplicateWindowMs: number
  readonly partialApproval: boolean
  readonly clearingCutOffMs: number
  /** IANA. */
  readonly timeZone: string
  readonly missedRuns: CatchUp
  /** undefined: as long as an account's kind has it. */
  readonly retentionDays: number | undefined
  /** Declined attempts of shoppers; Infinity: no bound. */
  readonly declines: Readonly<Record<DeclineBound, number>>
}

/** Keys by which declined attempts are counted. */
type DeclineBound = keyof typeof domainLimits.declinesMax

/** @param chain settings from the psp down to the channel */
export function channelSettings(chain: readonly EntitySettings[]): ChannelSettings {
  const merged: EntitySettings = Object.assign({}, ...chain)
  const compatibility = merged.compatibility ?? 'strict'
  return {
    // A switched-off ancestor switches off everything below it.
    enabled: chain.every((settings) => settings.enabled !== false),
    compatibility,
    brands: merged.brands && new Set(merged.brands),
    currencies: merged.currencies && new Set(merged.currencies),
    threeDSecure: merged.threeDSecure ?? 'off',
    unauthenticated: merged.unauthenticated ?? 'continue',
    // Each part by itself.
    authentication: Object.assign({}, ...chain.map(({ authentication }) => authentication)),
    pointOfSale: merged.pointOfSale ?? false,
    checkoutStatusWithoutLogin: compatibility === 'legacy' && merged.checkoutStatusWithoutLogin === true,
    lateApproval: merged.lateApproval ?? 'accept',
    shopperResultOrigins: merged.shopperResultOrigins && new Set(merged.shopperResultOrigins),
    bankAccount: merged.bankAccount,
    sepaCreditor: { name: merged.sepaCreditor?.name ?? merged.bankAccount?.holder, id: merged.sepaCreditor?.id },
    verifyRegistrations: merged.verifyRegistrations ?? false,
    uniqueMerchantTransactionId: merged.uniqueMerchantTransactionId ?? false,
    duplicateWindowMs: (merged.duplicateWindowSeconds ?? 0) * 1000,
    partialApproval: merged.partialApproval ?? false,
    clearingCutOffMs: (merged.clearingCutOffHours ?? 24) * HOUR_MS,
    timeZone: merged.timeZone ?? 'UTC',
    missedRuns: merged.missedRuns ?? 'ONCE',
    retentionDays: merged.retentionDays,
    declines: declineBounds(chain),
  }
}

/** Each bound by itself. */
function declineBounds(chain: readonly EntitySettings[]): ChannelSettings['declines'] {
  const set: NonNullable<EntitySettings['declines']> = Object.assign({}, ...chain.map((each) => each.declines))
  const boundOf = (name: DeclineBound) =>
    set[name] === 'off' ? Infinity : (set[name] ?? domainLimits.declinesMax[name])
  return { checkout: boundOf('checkout'), card: boundOf('card'), address: boundOf('address') }
}

/**
 * Requests in a minute by operation, where they are set.
 *
 * @param chain settings from the psp down to an entity
 */
export function throttleSettings(chain: readonly EntitySettings[]): NonNullable<EntitySettings['throttle']> {
  return Object.assign({}, ...chain.map(({ throttle }) => throttle))
}

/** Settings after a change, as they are stored. */
export function changedSettings(settings: EntitySettings, change: Static<typeof settingsChange> = {}): string {
  const merged = Object.entries({ ...settings, ...change }).filter(([, value]) => value !== null)
  return JSON.stringify(Object.fromEntries(merged))
}

/** Reads settings as stored. Throws on text that this version did not write. */
export function readEntitySettings(text: string): EntitySettings {
  return Value.Parse(entitySettings, JSON.parse(text))
}
