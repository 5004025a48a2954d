import {
  browserParameters,
  isCurrency,
  isTrue,
  marksMerchantInitiated,
  type RequestParameters,
} from '@tollgate/contract'
import { readAppDevice } from '@tollgate/three-d-secure'
import { known } from '../narrow.ts'

/** The parameters of the cardholder's authentication. */
export function readAuthenticationTerms(parameters: RequestParameters) {
  const { values } = parameters
  const app = values.get('threeDSecure.deviceInfo')
  return {
    /** Whether it brings the proof of an external 3-D Secure server. */
    hasProof: values.has('threeDSecure.eci') && values.has('threeDSecure.verificationId'),
    /** Whether it marks itself as one of the merchant alone (3RI). */
    marksMerchantInitiated: marksMerchantInitiated(parameters),
    /** Whether it requests this authentication although the channel's setting does not. */
    asksForMerchantInitiated: values.has('threeDSecure.channel') || values.has('threeDSecure.threeRIInd'),
    /** threeDSecure.deviceInfo: the app that the shopper uses; 'wrong' where it cannot be read. */
    app: app === undefined ? undefined : (readAppDevice(app) ?? ('wrong' as const)),
    /** Whether all browser fields that an issuer needs were sent. */
    hasBrowser: browserParameters.every((name) => values.has(name)),
    /** threeDSecure.npa: an authentication without a payment. */
    isNonPayment: isTrue(parameters, 'threeDSecure.npa'),
    /** customParameters[3DS2_enrolled]: a test treats any card as enrolled. */
    isForced: values.get('customParameters[3DS2_enrolled]') === 'true',
    /** risk.amount. */
    riskAmount: values.get('risk.amount'),
    /** threeDSecure.amount and currency. */
    amount: values.get('threeDSecure.amount'),
    currency: known(isCurrency, values.get('threeDSecure.currency')),
  }
}
