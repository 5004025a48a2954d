import { boolean, chars, currency, oneOf, pattern, text, webAddress } from '../format.ts'
import { REFERENCE, row, section, unechoed } from '../section.ts'

/** Keys of the seven card networks that have parameters of their own in an authentication message. */
export const authenticationNetworks = [
  'visa',
  'mastercard',
  'amex',
  'diners',
  'discover',
  'jcb',
  'cartebancaire',
] as const

/** One of `authenticationNetworks`. */
export type AuthenticationNetwork = (typeof authenticationNetworks)[number]

const authenticationIndicators = [
  'PAYMENT',
  'RECURRING',
  'INSTALLMENT',
  'ADD_CARD',
  'MAINTAIN_CARD',
  'EMV_ID',
  'BILLING_AGREEMENT',
  'SPLIT_SHIPMENT',
  '_DELAYED_SHIPMENT',
  'SPLIT_PAYMENT',
]

/** Parameters that are used only in the authentication message. */
export const authenticationRows = unechoed([
  row('threeDSecure.amount', pattern('1 to 9 digits, a dot, 2 digits', /^[0-9]{1,9}\.[0-9]{2}$/), 'O'),
  row('threeDSecure.currency', currency, 'O'),
  row(
    'threeDSecure.deviceInfo',
    text(1, 64_000),
    'C',
    'Encrypted device data from the mobile SDK, needed to start the app-based v2 flow.',
    REFERENCE,
  ),
  row('threeDSecure.merchant.name', text(1, 100), 'O'),
  row('threeDSecure.merchant.url', webAddress(0, 2048), 'O', '', REFERENCE),
  row('threeDSecure.merchant.country', chars('letters', 3, 3), 'O'),
  ...authenticationNetworks.flatMap((network) => [
    row(`threeDSecure.v2.${network}.requestorId`, text(1, 100), 'O', '', REFERENCE),
    row(`threeDSecure.v2.${network}.requestorName`, text(1, 100), 'O'),
  ]),
  row(
    'threeDSecure.channel',
    pattern('1 to 99', /^(0?[1-9]|[1-9][0-9])$/),
    'O',
    'Only to mark a merchant-initiated (3RI) request, for one card network in 3DS 2.2.',
  ),
  row('threeDSecure.npa', boolean, 'O', 'Non-payment authentication.'),
  row('threeDSecure.decoupled', boolean, 'O'),
  row('threeDSecure.threeRIInd', oneOf('RECURRING', 'SPLIT_SHIPMENT', 'DELAYED_SHIPMENT'), 'O'),
  row('threeDSecure.authenticationInd', oneOf(...authenticationIndicators), 'O', '', {
    legacy: oneOf(...authenticationIndicators, 'DELAYED_SHIPMENT'),
  }),
])

/** Parameters that are used in the payment: the proof of authentication by an external server. */
const paymentRows = [
  row('threeDSecure.eci', pattern('01 to 08', /^0[1-8]$/), 'C'),
  row('threeDSecure.verificationId', text(28, 28), 'C', 'CAVV or AAV.', REFERENCE),
  row('threeDSecure.authenticationStatus', oneOf('Y', 'A', 'U', 'N'), 'C'),
  row('threeDSecure.dsTransactionId', text(36, 36), 'O', '', REFERENCE),
  row('threeDSecure.acsTransactionId', text(36, 36), 'O', '', REFERENCE),
  row('threeDSecure.challengeMandatedIndicator', oneOf('Y', 'N'), 'O'),
  row(
    'threeDSecure.version',
    pattern('a protocol version such as 2.1.0 or 2.2.0', /^[0-9]{1,2}(\.[0-9]{1,2}){1,2}$/),
    'O',
  ),
  row('threeDSecure.authType', pattern('01 to 04', /^0[1-4]$/), 'O'),
  row('threeDSecure.transactionStatusReason', chars('digits', 2, 2), 'O'),
]

/** Exemption requests, which must be in the authentication and in the payment. */
const exemptionRows = [
  row('threeDSecure.challengeIndicator', pattern('01 to 09', /^0[1-9]$/), 'O', 'Version 2.2 or higher.'),
  row('threeDSecure.exemptionFlag', pattern('01 to 04', /^0[1-4]$/), 'O', 'Version 2.2 or higher.'),
]

/** Parts of the billing address that are mandatory for 3-D Secure version 2. */
export const mandatoryBilling = ['street1', 'city', 'postcode', 'country'] as const

/** Data of the French domestic scheme. */
export const schemeData = [
  row('threeDSecure.schemeData[CB-ITEMSNB]', chars('digits', 2, 2), 'C', 'Number of items or services; recommended.'),
  row('threeDSecure.schemeData[CB-SCORE_MERCHANT]', text(1, 20), 'C', 'Merchant score; recommended.'),
  row(
    'threeDSecure.schemeData[CB-USECASE]',
    chars('digits', 2, 2),
    'C',
    'Required when message category is PA, or NPA with requestor authentication indicator 02 or 03.',
  ),
]

/**
 * Names for the issuer's answer in the French domestic scheme. The service adds these parameters to the authorisation
 * request; merchants cannot send them.
 */
export type IssuerSchemeData = `threeDSecure.schemeData[CB-${'AVALGO' | 'EXEMPTION' | 'SCORE'}]`

export const threeDSecure = section('3D Secure', 'payment', [
  ...authenticationRows,
  ...paymentRows,
  ...exemptionRows,
  ...schemeData,
])
