import { countries, currencies, isCountry, isCurrency, isTrue, type Secret } from '@tollgate/contract'
import {
  authenticationIndicatorFor,
  type ChallengeIndicator,
  challengeIndicatorFor,
  challengeIndicators,
  colorDepthFor,
  isAuthenticationIndicator,
  type MessageOf,
  simulatorWish,
  type ProtocolVersion,
} from '@tollgate/three-d-secure'
import type { Call } from '../http/public/route.ts'
import { riskAmount } from '@tollgate/domain'
import type { Channel } from '../directory.ts'
import { SERVER_REFERENCE, uuidOf } from './server.ts'

/** A payment that its shopper is to be authenticated for. */
export interface Authentication {
  readonly visitId: string
  readonly call: Call
  readonly channel: Channel
  readonly brand: string
  readonly number: Secret
  readonly holder: string | null
  /** 01 to 12, and four digits. */
  readonly expiryMonth: string | null
  readonly expiryYear: string | null
  readonly amountMinor: number
  readonly currency: string
  readonly version: ProtocolVersion
  /** Whether the issuer has looked at the browser: it was told so (Y), did not in time (N), does not want to (U). */
  readonly looked: 'Y' | 'N' | 'U'
  /** Of this gateway, without a slash at its end. */
  readonly url: string
}

/** What the test environment says of a merchant where the channel's acquirer has said nothing. */
const acquirer = { acquirerBIN: '000000', mcc: '5999', country: 'DE' } as const

/** AReq of a payment in a browser: what the merchant and the browser have told, as far as it fits its fields. */
export function authenticationRequest(about: Authentication): MessageOf<'AReq'> {
  const { visitId, call, channel, number, amountMinor, currency, version, url } = about
  const { values } = call.form
  const money = isCurrency(currency) ? currencies[currency] : undefined
  if (!money) throw new Error('a payment has a currency')
  const sent = riskAmount(values.get('risk.amount'), isCurrency(currency) ? currency : 'EUR', amountMinor)
  const text = (name: string, chars: number) => values.get(name)?.slice(0, chars)
  const country = (name: string) => {
    const code = values.get(name) ?? ''
    return isCountry(code) ? countries[code].numeric : undefined
  }
  const { country: own } = channel.settings.bankAccount ?? {}
  const merchantCountry = own !== undefined && isCountry(own) ? own : acquirer.country
  return {
    messageVersion: version,
    deviceChannel: '02',
    messageCategory: isTrue(call.form, 'threeDSecure.npa') ? '02' : '01',
    threeDSServerTransID: uuidOf(visitId),
    threeDSServerRefNumber: SERVER_REFERENCE,
    threeDSServerURL: `${url}/pages/authentications/results`,
    threeDSRequestorID: text('threeDSecure.v2.visa.requestorId', 35) ?? channel.id,
    threeDSRequestorName: channel.name.slice(0, 40),
    threeDSRequestorURL: text('threeDSecure.merchant.url', 2048) ?? url,
    threeDSRequestorAuthenticationInd: purposeOf(call, version),
    threeDSRequestorChallengeInd: wishForChallenge(call, version),
    threeDSCompInd: about.looked,
    acctNumber: number,
    cardExpiryDate:
      about.expiryYear && about.expiryMonth ? `${about.expiryYear.slice(2)}${about.expiryMonth}` : undefined,
    cardholderName: about.holder?.slice(0, 45) ?? undefined,
    acquirerBIN: acquirer.acquirerBIN,
    acquirerMerchantID: channel.id,
    mcc: /^[0-9]{4}$/.test(values.get('merchant.mcc') ?? '') ? values.get('merchant.mcc') : acquirer.mcc,
    merchantCountryCode: countries[merchantCountry].numeric,
    merchantName: (values.get('threeDSecure.merchant.name') ?? values.get('merchant.name') ?? channel.name).slice(
      0,
      40,
    ),
    purchaseAmount: String(sent.kind === 'refused' ? amountMinor : sent.amountMinor),
    purchaseCurrency: money.numeric,
    purchaseExponent: String(money.exponent),
    purchaseDate: new Date(call.atMs).toISOString().replaceAll(/\D/g, '').slice(0, 14),
    billAddrCity: text('billing.city', 50),
    billAddrCountry: country('billing.country'),
    billAddrLine1: text('billing.street1', 50),
    billAddrLine2: text('billing.street2', 50),
    billAddrPostCode: text('billing.postcode', 16),
    shipAddrCity: text('shipping.city', 50),
    shipAddrCountry: country('shipping.country'),
    shipAddrLine1: text('shipping.street1', 50),
    shipAddrPostCode: text('shipping.postcode', 16),
    email: values.get('customer.email'),
    browserAcceptHeader: text('customer.browser.acceptHeader', 2048) ?? '*/*',
    browserIP: text('customer.ip', 45),
    browserJavaEnabled: isTrue(call.form, 'customer.browser.javaEnabled'),
    ...(version !== '2.1.0' && { browserJavascriptEnabled: true }),
    browserLanguage: text('customer.browser.language', 8) ?? 'en',
    browserColorDepth: colorDepthFor(Number(values.get('customer.browser.screenColorDepth') ?? 24)),
    browserScreenHeight: digits(values.get('customer.browser.screenHeight')) ?? '0',
    browserScreenWidth: digits(values.get('customer.browser.screenWidth')) ?? '0',
    browserTZ: minutes(values.get('customer.browser.timezone')) ?? '0',
    browserUserAgent: text('customer.browser.userAgent', 2048) ?? 'unknown',
    notificationURL: `${url}/pages/authentications/${visitId}/result`,
    messageExtension: [simulatorWish(wishOf(call))],
  }
}

const isChallengeIndicator = (sent: string | undefined): sent is ChallengeIndicator =>
  sent !== undefined && Object.hasOwn(challengeIndicators, sent)

function purposeOf({ form: { values } }: Call, version: ProtocolVersion): string {
  const sent = values.get('threeDSecure.authenticationInd') ?? ''
  return authenticationIndicatorFor(isAuthenticationIndicator(sent) ? sent : 'PAYMENT', version)
}

function wishForChallenge({ form: { values } }: Call, version: ProtocolVersion): string | undefined {
  const sent = values.get('threeDSecure.challengeIndicator')
  return isChallengeIndicator(sent) ? challengeIndicatorFor(sent, version) : undefined
}

const digits = (sent: string | undefined) => (sent !== undefined && /^[0-9]{1,6}$/.test(sent) ? sent : undefined)
const minutes = (sent: string | undefined) => (sent !== undefined && /^[+-]?[0-9]{1,4}$/.test(sent) ? sent : undefined)

/** What a test asks of the simulated issuers (interop, Queries, reports, schedules, the rest). */
function wishOf({ form: { values } }: Call): Parameters<typeof simulatorWish>[0] {
  const flow = values.get('customParameters[3DS2_flow]')
  return {
    enrolled: values.get('customParameters[3DS2_enrolled]') === 'true' || undefined,
    flow: flow === 'challenge' || flow === 'frictionless' ? flow : undefined,
  }
}
