import { type AuthenticationNetwork, authenticationNetworks, countries } from '@tollgate/contract'
import { Type, type Static } from 'typebox'
import { limits } from '../limits.ts'

/** The merchant's registration with each network. */
const registered = {
  acquirerBin: Type.Optional(Type.String({ pattern: '^[0-9]{1,11}$' })),
  acquirerMerchantId: Type.Optional(Type.String({ minLength: 1, maxLength: 35 })),
  requestorId: Type.Optional(Type.String({ minLength: 1, maxLength: 35 })),
  requestorName: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
}

const byNetwork = Type.Object(registered, { additionalProperties: false })

/** The requestor of authentications, for networks and issuers: the setting `authentication`. */
export const authenticationSettings = Type.Object(
  {
    ...registered,
    requestorUrl: Type.Optional(Type.String({ pattern: '^https://[^\\s/@]+(/[^\\s]*)?$', maxLength: 2048 })),
    merchantName: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    mcc: Type.Optional(Type.String({ pattern: '^[0-9]{4}$' })),
    country: Type.Optional(Type.String({ enum: Object.keys(countries) })),
    networks: Type.Optional(
      Type.Object(Object.fromEntries(authenticationNetworks.map((name) => [name, Type.Optional(byNetwork)])), {
        additionalProperties: false,
      }),
    ),
    merchantInitiated: Type.Optional(Type.Boolean()),
    decoupledMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.decoupledMinutesMax })),
  },
  {
    additionalProperties: false,
    description:
      'Who asks for authentications (3-D Secure): what acquirer and networks have registered the merchant under, ' +
      'needed in live. networks: by visa, mastercard, … what differs. merchantInitiated: charges by the merchant are ' +
      'authenticated, too. decoupledMinutes: how long an issuer may take to reach its cardholder by itself, 60 ' +
      'unless set. Each part is inherited by itself.',
  },
)

export type AuthenticationSettings = Static<typeof authenticationSettings>

/** The merchant's fields in a request to a network. */
const needed = [
  'acquirerBin',
  'acquirerMerchantId',
  'mcc',
  'country',
  'merchantName',
  'requestorId',
  'requestorName',
  'requestorUrl',
] as const

/** The settings, as they are for one network. */
export const settingsFor = (
  settings: AuthenticationSettings,
  network: AuthenticationNetwork | undefined,
): AuthenticationSettings => ({ ...settings, ...(network && settings.networks?.[network]) })

/** The fields that are missing for a network; without a name, those for all networks. */
export function missingFor(settings: AuthenticationSettings, network?: AuthenticationNetwork): readonly string[] {
  const told = settingsFor(settings, network)
  return needed.filter((name) => told[name] === undefined)
}

/** Whether at least the cards of one network can be authenticated with it. */
export const isReadyForAny = (settings: AuthenticationSettings): boolean =>
  [undefined, ...authenticationNetworks].some((name) => missingFor(settings, name).length === 0)
