import type { PaymentType } from '../payment/transaction.ts'
import type { AcceptanceSettings } from './acceptance-settings.ts'

/** The facts of a payment or registration that decide whether the channel demands 3-D Secure. */
export interface ThreeDSecureSubject {
  readonly settings: Pick<AcceptanceSettings, 'threeDSecure' | 'pointOfSale'>
  /** undefined: a registration. */
  readonly type: PaymentType | undefined
  /** Whether an issuer can authenticate the holder of the account. */
  readonly hasIssuer: boolean
  /** Whether a terminal has read the card, according to the request. */
  readonly isCardPresent: boolean
  readonly merchantInitiated: boolean
  /** Whether the channel or the request demands 3RI authentications of merchant-initiated payments. */
  readonly authenticatesMerchantInitiated: boolean
  /** Whether the request contains the proof of an external 3-D Secure server. */
  readonly hasProof: boolean
  /** Whether an authentication is possible: it needs no page in a browser, or the shopper can return from the page. */
  readonly canAuthenticate: boolean
  /** false: the card is not enrolled in 3-D Secure. It is evaluated only with the setting `enrolled`. */
  readonly mayBeEnrolled: boolean
}

/**
 * Whether the cardholder must be authenticated before the payment. Only debits and preauthorisations are authenticated.
 * A card that a terminal read is exempt if the channel is a point of sale: the request alone proves no terminal.
 */
export function demandsThreeDSecure(subject: ThreeDSecureSubject): boolean {
  const { settings, type } = subject
  if (type !== 'PA' && type !== 'DB') return false
  if (!subject.hasIssuer || subject.hasProof) return false
  if (settings.pointOfSale && subject.isCardPresent) return false
  if (subject.merchantInitiated && !subject.authenticatesMerchantInitiated) return false
  switch (settings.threeDSecure) {
    case 'off':
      return false
    case 'always':
      return true
    case 'enrolled':
      return subject.canAuthenticate && subject.mayBeEnrolled
  }
}
