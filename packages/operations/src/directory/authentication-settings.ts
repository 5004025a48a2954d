import { type AuthenticationNetwork, authenticationNetworks, countries } from '@tollgate/contract'
import { Type, type Static } from 'typebox'
import { limits } from '../limits.ts'

/** The values that may differ by network, because each network registers the merchant itself. */
const networkFields = {
  acquirerBin: Type.Optional(Type.String({ pattern: '^[0-9]{1,11}$' })),
  acquirerMerchantId: Type.Optional(Type.String({ minLength: 1, maxLength: 35 })),
  requestorId: Type.Optional(Type.String({ minLength: 1, maxLength: 35 })),
  requestorName: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
}

const networkOverrides = Type.Object(networkFields, { additionalProperties: false })

/** The schema of the setting `authentication`: the 3-D Secure requestor in requests to networks and issuers. */
export const authenticationSettings = Type.Object(
  {
    ...networkFields,
    requestorUrl: Type.Optional(Type.String({ pattern: '^https://[^\\s/@]+(/[^\\s]*)?$', maxLength: 2048 })),
    merchantName: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    mcc: Type.Optional(Type.String({ pattern: '^[0-9]{4}$' })),
    country: Type.Optional(Type.String({ enum: Object.keys(countries) })),
    networks: Type.Optional(
      Type.Object(Object.fromEntries(authenticationNetworks.map((name) => [name, Type.Optional(networkOverrides)])), {
        additionalProperties: false,
      }),
    ),
    merchantInitiated: Type.Optional(Type.Boolean()),
    decoupledMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.decoupledMinutesMax })),
  },
  {
    additionalProperties: false,
    description:
      'The 3-D Secure requestor: the merchant, as registered with the acquirer and the networks; required in live. ' +
      'networks: values that differ for a network, such as visa or mastercard. merchantInitiated: whether charges by ' +
      'the merchant are authenticated, too. decoupledMinutes: the time that an issuer has for a decoupled ' +
      'authentication, 60 by default. Each value is inherited separately.',
  },
)

export type AuthenticationSettings = Static<typeof authenticationSettings>

/** The required fields of the merchant in a request to a network. */
const requiredFields = [
  'acquirerBin',
  'acquirerMerchantId',
  'mcc',
  'country',
  'merchantName',
  'requestorId',
  'requestorName',
  'requestorUrl',
] as const

/** The settings with the overrides of one network. */
export const settingsForNetwork = (
  settings: AuthenticationSettings,
  network: AuthenticationNetwork | undefined,
): AuthenticationSettings => ({ ...settings, ...(network && settings.networks?.[network]) })

/** The required fields that are missing for a network; without a network, those missing in the general settings. */
export function missingSettings(settings: AuthenticationSettings, network?: AuthenticationNetwork): readonly string[] {
  const effective = settingsForNetwork(settings, network)
  return requiredFields.filter((name) => effective[name] === undefined)
}

/** Whether the settings are complete for at least one network. */
export const isReadyForAnyNetwork = (settings: AuthenticationSettings): boolean =>
  [undefined, ...authenticationNetworks].some((name) => missingSettings(settings, name).length === 0)
