import {
  countries,
  currencies,
  isCountry,
  isTrue,
  type ParameterName,
  type RequestParameters,
  type Secret,
} from '@tollgate/contract'
import type { Purchase } from '@tollgate/domain'
import {
  type AppDevice,
  authenticationIndicatorFor,
  cartesBancairesRequest,
  type ChallengeIndicator,
  challengeIndicatorFor,
  challengeIndicators,
  colorDepthFor,
  exemptionIndicators,
  isAuthenticationIndicator,
  isThreeRiIndicator,
  type MessageOf,
  type ProtocolVersion,
  simulatorOptions,
  threeRiIndicatorFor,
} from '@tollgate/three-d-secure'
import type { Channel } from '../directory/channel.ts'
import type { Head } from '../request-head.ts'
import { limits } from '../limits.ts'
import type { MaskedAccount } from '../records/masked-account.ts'
import { requestorFields } from './requestor.ts'
import { SERVER_REFERENCE } from './server-reference.ts'
import { serverTransactionIdOf } from './server-transaction-id.ts'

/** The device of the shopper: an app, a browser, or none, because the merchant initiates the charge (3RI). */
export type Device =
  | { readonly channel: '01'; readonly app: AppDevice }
  /** Whether the issuer completed the 3DS Method: yes (Y), not in time (N), not offered (U). */
  | { readonly channel: '02'; readonly methodCompletion: 'Y' | 'N' | 'U' }
  | { readonly channel: '03' }

/** The data of an authentication. */
export interface Authentication {
  readonly sessionId: string
  readonly request: Pick<Head, 'parameters' | 'atMs'>
  readonly channel: Channel
  readonly brand: string
  readonly number: Secret
  readonly masked: Pick<MaskedAccount, 'holder' | 'expiryMonth' | 'expiryYear'>
  /** The amount and currency of the authentication. */
  readonly purchase: Purchase
  readonly version: ProtocolVersion
  readonly device: Device
  /** For a charge under an agreement: the authentication of the payment that began the agreement. */
  readonly prior?: { readonly acsTransactionId: string; readonly atMs: number } | undefined
  /** The gateway's address, without a trailing slash. */
  readonly url: string
}

type AReq = MessageOf<'AReq'>
type AReqFields = Partial<AReq>

/** Creates an AReq from the parameters of the merchant and of the shopper's device, as far as they fit its fields. */
export function authenticationRequest(authentication: Authentication): AReq {
  const { sessionId, request, channel, brand, number, version, device, url } = authentication
  const { holder, expiryMonth, expiryYear } = authentication.masked
  const { values } = request.parameters
  const text = (name: ParameterName, chars: number) => truncateIfSent(values.get(name), chars)
  const country = (name: ParameterName) => {
    // "shipping.country: CC2", in upper or lower case.
    const code = values.get(name)?.toUpperCase() ?? ''
    return isCountry(code) ? countries[code].numeric : undefined
  }
  const deviceFields = deviceFieldsOf(device, authentication)
  const billingLines = linesOf(values, 'billing')
  const shippingLines = linesOf(values, 'shipping')
  return {
    messageVersion: version,
    deviceChannel: device.channel,
    messageCategory: isTrue(request.parameters, 'threeDSecure.npa') ? '02' : '01',
    threeDSServerTransID: serverTransactionIdOf(sessionId),
    threeDSServerRefNumber: SERVER_REFERENCE,
    threeDSServerURL: `${url}/pages/authentications/results`,
    ...requestorFields({ channel, brand, values, url }),
    acctNumber: number,
    cardExpiryDate: expiryYear && expiryMonth ? `${expiryYear.slice(2)}${expiryMonth}` : undefined,
    cardholderName: holder !== null && Array.from(holder).length > 1 ? truncate(holder, 45) : undefined,
    ...purchaseFieldsOf(authentication),
    billAddrCity: text('billing.city', lineCharsMax),
    billAddrCountry: country('billing.country'),
    billAddrLine1: billingLines.line1,
    billAddrLine2: billingLines.line2,
    billAddrPostCode: text('billing.postcode', 16),
    shipAddrCity: text('shipping.city', lineCharsMax),
    shipAddrCountry: country('shipping.country'),
    shipAddrLine1: shippingLines.line1,
    shipAddrLine2: shippingLines.line2,
    shipAddrPostCode: text('shipping.postcode', 16),
    email: values.get('customer.email'),
    ...deviceFields,
    ...laterPaymentFieldsOf(deviceFields, values),
    ...decoupledFieldsOf(authentication),
    messageExtension: [
      ...cartesBancairesRequest({
        'CB-ITEMSNB': values.get('threeDSecure.schemeData[CB-ITEMSNB]'),
        'CB-SCORE_MERCHANT': values.get('threeDSecure.schemeData[CB-SCORE_MERCHANT]'),
        'CB-USECASE': values.get('threeDSecure.schemeData[CB-USECASE]'),
      }),
      simulatorOptions(simulatorParameters(values)),
    ],
  }
}

/** The first characters of a text, without dividing a surrogate pair. */
const truncate = (text: string, chars: number): string => Array.from(text).slice(0, chars).join('')
const truncateIfSent = (text: string | undefined, chars: number) =>
  text === undefined ? undefined : truncate(text, chars)

/** The maximum length of an address line and of a city: "billAddrLine1, billAddrCity: up to 50" (table A.1). */
const lineCharsMax = 50

/** "houseNumber1: When present, street1 holds only the street name and street2 is ignored." */
function linesOf(values: RequestParameters['values'], address: 'billing' | 'shipping') {
  const parts = ['street1', 'street2', 'houseNumber1', 'houseNumber2'] as const
  const [street1, street2, first, second] = parts.map((part) => values.get(`${address}.${part}`))
  if (first === undefined)
    return { line1: truncateIfSent(street1, lineCharsMax), line2: truncateIfSent(street2, lineCharsMax) }
  const house = truncate([first, second].filter((part) => part !== undefined).join(' '), lineCharsMax)
  const street = truncate(street1 ?? '', Math.max(0, lineCharsMax - Array.from(house).length - 1))
  return { line1: [street, house].filter((part) => part !== '').join(' '), line2: undefined }
}

function purchaseFieldsOf({ request, purchase }: Authentication): AReqFields {
  const { numeric, exponent } = currencies[purchase.currency]
  return {
    purchaseAmount: String(purchase.amountMinor),
    purchaseCurrency: numeric,
    purchaseExponent: String(exponent),
    purchaseDate: digitsOf(request.atMs).slice(0, 14),
  }
}

/** A time in UTC, as YYYYMMDDHHMMSS and milliseconds. */
const digitsOf = (atMs: number): string => new Date(atMs).toISOString().replaceAll(/\D/g, '')

function deviceFieldsOf(device: Device, authentication: Authentication): AReqFields {
  switch (device.channel) {
    case '01':
      return { ...shopperFieldsOf(authentication), ...device.app.fields }
    case '02':
      return { ...shopperFieldsOf(authentication), ...browserFieldsOf(authentication, device.methodCompletion) }
    case '03':
      return {
        threeRIInd: threeRiIndicatorOf(authentication.request.parameters.values),
        threeDSRequestorPriorAuthenticationInfo: authentication.prior && {
          threeDSReqPriorRef: authentication.prior.acsTransactionId,
          threeDSReqPriorAuthTimestamp: digitsOf(authentication.prior.atMs).slice(0, 12),
        },
      }
  }
}

/** Fields for a shopper who is present and can be challenged. */
const shopperFieldsOf = ({ request, version }: Authentication): AReqFields => ({
  threeDSRequestorAuthenticationInd: purposeOf(request.parameters, version),
  threeDSRequestorChallengeInd: challengeIndicatorOf(request.parameters, version),
})

function browserFieldsOf(
  { sessionId, request, version, url }: Authentication,
  methodCompletion: 'Y' | 'N' | 'U',
): AReqFields {
  const { values } = request.parameters
  const text = (name: ParameterName, chars: number) => truncateIfSent(values.get(name), chars)
  return {
    threeDSCompInd: methodCompletion,
    browserAcceptHeader: text('customer.browser.acceptHeader', 2048) ?? '*/*',
    browserIP: text('customer.ip', 45),
    browserJavaEnabled: isTrue(request.parameters, 'customer.browser.javaEnabled'),
    ...(version !== '2.1.0' && { browserJavascriptEnabled: true }),
    browserLanguage: text('customer.browser.language', 8) ?? 'en',
    browserColorDepth: colorDepthFor(Number(values.get('customer.browser.screenColorDepth') ?? 24)),
    browserScreenHeight: digitsIfValid(values.get('customer.browser.screenHeight')) ?? '0',
    browserScreenWidth: digitsIfValid(values.get('customer.browser.screenWidth')) ?? '0',
    browserTZ: minutesIfValid(values.get('customer.browser.timezone')) ?? '0',
    browserUserAgent: text('customer.browser.userAgent', 2048) ?? 'unknown',
    notificationURL: `${url}/pages/authentications/${sessionId}/result`,
  }
}

const isChallengeIndicator = (sent: string | undefined): sent is ChallengeIndicator =>
  sent !== undefined && Object.hasOwn(challengeIndicators, sent)

/**
 * The sent purpose of the authentication. Otherwise the purpose is to add a card (without a payment), to begin the
 * agreement of the standing instruction, or to pay.
 */
function purposeOf(parameters: RequestParameters, version: ProtocolVersion): string {
  const sent = parameters.values.get('threeDSecure.authenticationInd') ?? ''
  const type = parameters.values.get('standingInstruction.type')
  const agreementPurpose = type === 'RECURRING' || type === 'INSTALLMENT' ? type : 'PAYMENT'
  const derived = isTrue(parameters, 'threeDSecure.npa') ? 'ADD_CARD' : agreementPurpose
  return authenticationIndicatorFor(isAuthenticationIndicator(sent) ? sent : derived, version)
}

/**
 * "Both the authentication and the payment must be flagged": without a challenge indicator, an exemption flag
 * determines it.
 */
function challengeIndicatorOf({ values }: RequestParameters, version: ProtocolVersion): string | undefined {
  const exemption = exemptionIndicators[values.get('threeDSecure.exemptionFlag') ?? '']
  const indicator = values.get('threeDSecure.challengeIndicator') ?? exemption
  return isChallengeIndicator(indicator) ? challengeIndicatorFor(indicator, version) : undefined
}

/** 3RI indicators of charges by the type of their agreement; all other charges are 11, "other payment". */
const chargeIndicators: Readonly<Record<string, string>> = { RECURRING: '01', INSTALLMENT: '02' }

function threeRiIndicatorOf(values: RequestParameters['values']): string {
  const sent = values.get('threeDSecure.threeRIInd') ?? ''
  if (isThreeRiIndicator(sent)) return threeRiIndicatorFor(sent)
  return chargeIndicators[values.get('standingInstruction.type') ?? ''] ?? '11'
}

/** The expiry of an agreement without an end. */
const NO_EXPIRY = '99991231'

/** The fields about later payments, if there are any. */
function laterPaymentFieldsOf(
  { threeDSRequestorAuthenticationInd: purpose, threeRIInd }: AReqFields,
  values: RequestParameters['values'],
): AReqFields {
  const isRecurring = purpose === '02' || threeRIInd === '01'
  const isInstalment = purpose === '03' || threeRIInd === '02'
  if (!isRecurring && !isInstalment) return {}
  const instalments = Number(values.get('standingInstruction.numberOfInstallments') ?? 0)
  return {
    recurringExpiry: values.get('standingInstruction.expiry')?.replaceAll('-', '') ?? NO_EXPIRY,
    // In days. Without a sent frequency, charges may follow each other daily.
    recurringFrequency: values.get('standingInstruction.frequency') ?? '1',
    // "purchaseInstalData: greater than 1"
    purchaseInstalData: isInstalment ? String(Math.max(2, instalments)) : undefined,
  }
}

/** The request for a decoupled authentication, which exists since 2.2.0, and its maximum duration. */
function decoupledFieldsOf({ request, channel, version }: Authentication): AReqFields {
  if (version === '2.1.0' || !isTrue(request.parameters, 'threeDSecure.decoupled')) return {}
  const minutesMax = channel.settings.authentication.decoupledMinutes ?? limits.decoupledMinutes
  return { threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: String(minutesMax).padStart(5, '0') }
}

const digitsIfValid = (sent: string | undefined) => (sent !== undefined && /^[0-9]{1,6}$/.test(sent) ? sent : undefined)
const minutesIfValid = (sent: string | undefined) =>
  sent !== undefined && /^[+-]?[0-9]{1,4}$/.test(sent) ? sent : undefined

/** Test parameters for the simulated issuers (interop, Queries, reports, schedules, the rest). */
function simulatorParameters(values: RequestParameters['values']): Parameters<typeof simulatorOptions>[0] {
  const flow = values.get('customParameters[3DS2_flow]')
  return {
    enrolled: values.get('customParameters[3DS2_enrolled]') === 'true' || undefined,
    flow: flow === 'challenge' || flow === 'frictionless' ? flow : undefined,
  }
}
