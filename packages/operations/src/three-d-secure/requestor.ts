import { countries, type CountryCode, isCountry, type RequestParameters } from '@tollgate/contract'
import { isWebUrl, type MessageOf } from '@tollgate/three-d-secure'
import type { Channel } from '../directory/channel.ts'
import { missingSettings, settingsForNetwork } from '../directory/authentication-settings.ts'
import { authenticationNetworkOf } from './authentication-network.ts'

/** Defaults of the test environment for fields that the channel's setting `authentication` does not contain. */
const testDefaults = { acquirerBin: '000000', mcc: '5999', country: 'DE' } as const

/** The merchant's channel, and the parameters of the request that override its settings. */
interface RequestorData {
  readonly channel: Channel
  readonly brand: string
  readonly values: RequestParameters['values']
  /** The gateway's address. */
  readonly url: string
}

type RequestorFields = Pick<
  MessageOf<'AReq'>,
  | 'threeDSRequestorID'
  | 'threeDSRequestorName'
  | 'threeDSRequestorURL'
  | 'acquirerBIN'
  | 'acquirerMerchantID'
  | 'mcc'
  | 'merchantCountryCode'
  | 'merchantName'
>

/** The merchant's fields of an AReq: from the request, otherwise from the channel's settings, otherwise a default. */
export function requestorFields({ channel, brand, values, url }: RequestorData): RequestorFields {
  const network = authenticationNetworkOf(brand)
  const { bankAccount, authentication } = channel.settings
  const settings = settingsForNetwork(authentication, network)
  const networkParameter = (name: 'requestorId' | 'requestorName') =>
    network ? values.get(`threeDSecure.v2.${network}.${name}`) : undefined
  const mcc = values.get('merchant.mcc') ?? ''
  const site = values.get('threeDSecure.merchant.url') ?? ''
  const country =
    [settings.country, bankAccount?.['country'], testDefaults.country].find(isKnownCountry) ?? testDefaults.country
  return {
    threeDSRequestorID: networkParameter('requestorId') ?? settings.requestorId ?? channel.id,
    threeDSRequestorName: networkParameter('requestorName') ?? settings.requestorName ?? channel.name.slice(0, 40),
    threeDSRequestorURL: isWebUrl(site) ? site : (settings.requestorUrl ?? url),
    acquirerBIN: settings.acquirerBin ?? testDefaults.acquirerBin,
    acquirerMerchantID: settings.acquirerMerchantId ?? channel.id,
    mcc: /^[0-9]{4}$/.test(mcc) ? mcc : (settings.mcc ?? testDefaults.mcc),
    merchantCountryCode: numericOf(values.get('threeDSecure.merchant.country')) ?? countries[country].numeric,
    merchantName: (
      values.get('threeDSecure.merchant.name') ??
      values.get('merchant.name') ??
      settings.merchantName ??
      channel.name
    ).slice(0, 40),
  }
}

const isKnownCountry = (code: string | undefined): code is CountryCode => code !== undefined && isCountry(code)

/** The numeric code of a country by its three letters, the form of `threeDSecure.merchant.country`. */
const numericOf = (alpha3: string | undefined): string | undefined =>
  Object.values(countries).find((country) => country.alpha3 === alpha3?.toUpperCase())?.numeric

/** Whether the channel's settings identify the merchant to the network. The test environment has defaults. */
export const isRequestorRegistered = (environment: 'test' | 'live', { settings }: Channel, brand: string): boolean =>
  environment === 'test' || missingSettings(settings.authentication, authenticationNetworkOf(brand)).length === 0
