import { isAtLeast, type ProtocolVersion } from '../versions.ts'

interface Indicator {
  readonly code: string
  readonly since: ProtocolVersion
}

/** Codes of the purposes of an authentication. The keys are the accepted values of `threeDSecure.authenticationInd`. */
const table = {
  PAYMENT: { code: '01', since: '2.1.0' },
  RECURRING: { code: '02', since: '2.1.0' },
  INSTALLMENT: { code: '03', since: '2.1.0' },
  ADD_CARD: { code: '04', since: '2.1.0' },
  MAINTAIN_CARD: { code: '05', since: '2.1.0' },
  EMV_ID: { code: '06', since: '2.1.0' },
  BILLING_AGREEMENT: { code: '07', since: '2.2.0' },
  // EMVCo defined 08 to 10 with 2.3. Networks accept them in 2.2 as well; 2.1 has no code for them.
  SPLIT_SHIPMENT: { code: '08', since: '2.2.0' },
  // The contract has the name with the underscore; older clients send the name without it.
  _DELAYED_SHIPMENT: { code: '09', since: '2.2.0' },
  DELAYED_SHIPMENT: { code: '09', since: '2.2.0' },
  SPLIT_PAYMENT: { code: '10', since: '2.2.0' },
} as const satisfies Readonly<Record<string, Indicator>>

/** Value of `threeDSecure.authenticationInd`. */
export type AuthenticationIndicator = keyof typeof table

/** Whether a text is an accepted value of `threeDSecure.authenticationInd`. */
export const isAuthenticationIndicator = (name: string): name is AuthenticationIndicator => Object.hasOwn(table, name)

/**
 * `threeDSRequestorAuthenticationInd` for a request of a version: a purpose without a code in that version is sent as a
 * payment.
 */
export const authenticationIndicatorFor = (name: AuthenticationIndicator, version: ProtocolVersion): string =>
  isAtLeast(version, table[name].since) ? table[name].code : table.PAYMENT.code

/**
 * Codes of the kinds of requests without the cardholder. The keys are the accepted values of `threeDSecure.threeRIInd`.
 */
const threeRi = {
  RECURRING: '01',
  // One code for both: "split/delayed shipment", since 2.2.0, which is the first version with 3RI payments.
  SPLIT_SHIPMENT: '06',
  DELAYED_SHIPMENT: '06',
} as const

/** Value of `threeDSecure.threeRIInd`. */
export type ThreeRiIndicator = keyof typeof threeRi

/** Whether a text is an accepted value of `threeDSecure.threeRIInd`. */
export const isThreeRiIndicator = (name: string): name is ThreeRiIndicator => Object.hasOwn(threeRi, name)

/** `threeRIInd` of an authentication request. */
export const threeRiIndicatorFor = (name: ThreeRiIndicator): string => threeRi[name]
