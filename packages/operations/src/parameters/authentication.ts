import {
  browserParameters,
  type CurrencyCode,
  isCurrency,
  isTrue,
  marksMerchantInitiated,
  type RequestParameters,
} from '@tollgate/contract'
import { type AppDevice, readAppDevice } from '@tollgate/three-d-secure'
import { known } from '../narrow.ts'

/** The parameters of the cardholder's authentication. */
export interface AuthenticationTerms {
  /** Whether it brings the proof of an external 3-D Secure server. */
  readonly hasProof: boolean
  /** Whether it marks itself as one of the merchant alone (3RI). */
  readonly marksMerchantInitiated: boolean
  /** Whether it requests this authentication although the channel's setting does not. */
  readonly asksForMerchantInitiated: boolean
  /** threeDSecure.deviceInfo: the app that the shopper uses; 'wrong' where it cannot be read. */
  readonly app: AppDevice | 'wrong' | undefined
  /** Whether all browser fields that an issuer needs were sent. */
  readonly hasBrowser: boolean
  /** threeDSecure.npa: an authentication without a payment. */
  readonly isNonPayment: boolean
  /** customParameters[3DS2_enrolled]: a test treats any card as enrolled. */
  readonly isForced: boolean
  /** risk.amount. */
  readonly riskAmount: string | undefined
  /** threeDSecure.amount and currency. */
  readonly amount: string | undefined
  readonly currency: CurrencyCode | undefined
}

export function readAuthenticationTerms(parameters: RequestParameters): AuthenticationTerms {
  const { values } = parameters
  const app = values.get('threeDSecure.deviceInfo')
  return {
    hasProof: values.has('threeDSecure.eci') && values.has('threeDSecure.verificationId'),
    marksMerchantInitiated: marksMerchantInitiated(parameters),
    asksForMerchantInitiated: values.has('threeDSecure.channel') || values.has('threeDSecure.threeRIInd'),
    app: app === undefined ? undefined : (readAppDevice(app) ?? 'wrong'),
    hasBrowser: browserParameters.every((name) => values.has(name)),
    isNonPayment: isTrue(parameters, 'threeDSecure.npa'),
    isForced: values.get('customParameters[3DS2_enrolled]') === 'true',
    riskAmount: values.get('risk.amount'),
    amount: values.get('threeDSecure.amount'),
    currency: known(isCurrency, values.get('threeDSecure.currency')),
  }
}
