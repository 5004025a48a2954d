import {
  browserParameters,
  isCurrency,
  isTrue,
  marksMerchantInitiated,
  type RequestParameters,
} from '@tollgate/contract'
import { readAppDevice } from '@tollgate/three-d-secure'
import { narrow } from '../narrow.ts'

/** Whether a request contains a proof of the cardholder: that of an authentication by 3-D Secure, or a PIN. */
export const isCardholderAuthenticated = ({ values, secrets }: RequestParameters): boolean =>
  (values.has('threeDSecure.eci') && values.has('threeDSecure.verificationId')) || secrets.has('pos.encryptedPin.data')

/** The parameters of the cardholder's authentication. */
export function readAuthenticationParameters(parameters: RequestParameters) {
  const { values } = parameters
  const app = values.get('threeDSecure.deviceInfo')
  return {
    /** Whether the proof of an external 3-D Secure server was sent. */
    hasProof: values.has('threeDSecure.eci') && values.has('threeDSecure.verificationId'),
    /** Whether the request is marked as merchant-initiated (3RI). */
    marksMerchantInitiated: marksMerchantInitiated(parameters),
    /** Whether the request demands a merchant-initiated authentication, even if the channel's setting does not. */
    requestsMerchantInitiated: values.has('threeDSecure.channel') || values.has('threeDSecure.threeRIInd'),
    /** threeDSecure.deviceInfo: the shopper's app; 'invalid' if it cannot be parsed. */
    app: app === undefined ? undefined : (readAppDevice(app) ?? ('invalid' as const)),
    /** Whether all browser fields that an issuer needs were sent. */
    hasBrowser: browserParameters.every((name) => values.has(name)),
    /** Whether the authentication is requested without a payment (threeDSecure.npa). */
    isNonPayment: isTrue(parameters, 'threeDSecure.npa'),
    /** Whether any card counts as enrolled (the test parameter customParameters[3DS2_enrolled]). */
    isEnrolmentForced: values.get('customParameters[3DS2_enrolled]') === 'true',
    riskAmount: values.get('risk.amount'),
    amount: values.get('threeDSecure.amount'),
    currency: narrow(isCurrency, values.get('threeDSecure.currency')),
  }
}
